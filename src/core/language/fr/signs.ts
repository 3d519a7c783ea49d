import type { Calendar, SignWords } from "#core/language/pack";

const WEEKDAY = "(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)";
const MONTH = "(?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)";
const PASSING =
  "(?:fatiguée?|épuisée?|crevée?|stressée?|triste|nerveu(?:x|se)|énervée?|heureu(?:x|se)|contente?|malade|déprimée?|angoissée?|débordée?|seule?|affamée?|mal|de (?:bonne|mauvaise) humeur|à bout|enrhumée?|inqui(?:et|ète)|vannée?)";

export const FRENCH_SIGNS: SignWords = {
  duty: "\\b(?:je dois|on doit|nous devons|je devrais|on devrait|il (?:me |nous )?faut(?: que)?|faut que|il faudrait)\\b|\\brappelle(?:z)?[- ](?:moi|nous)\\b|\\bn'oublie(?:z)? pas\\b|\\bne (?:me )?laisse pas oublier\\b|\\bil me reste à\\b|\\bj'ai besoin de \\p{L}+(?:er|ir|re)\\b|\\bpenser à \\p{L}+(?:er|ir|re)\\b",
  feeling: `\\b(?:je suis|j'suis|chuis|je me sens|on est) (?:\\p{L}{1,14} ){0,2}?${PASSING}\\b|\\bj'ai (?:très |un peu |trop |super |vraiment |tellement ){0,3}(?:froid|chaud|faim|soif|sommeil|mal (?:à|au|aux|partout)|la (?:flemme|migraine|crève|gueule de bois)|de la fièvre|un rhume|mal)\\b|\\bje m'ennuie\\b|\\bil (?:pleut|neige|fait (?:\\p{L}{1,12} )?(?:froid|chaud|beau|gris|moche))\\b|\\bj'ai (?:mal|peu|bien) dormi\\b|\\bje n'ai pas (?:bien )?dormi\\b`,
  doing:
    "\\ben train de\\b|\\b(?:en ce moment|actuellement|ces temps-ci),? (?:je|j'|on|nous)|\\bje travaille sur\\b|\\b(?:je cherche|je prépare|on prépare|nous préparons|on rénove|nous rénovons|on organise|nous organisons|je révise|je m'entraîne pour)\\b|\\b(?:je suis|on est) (?:en (?:congés?|vacances|arrêt|déplacement|télétravail)|occupée? (?:avec|par|à)|entre deux)\\b",
  done: "\\b(?:j'ai|on a|nous avons|il a|elle a|ils ont|mon \\p{L}{2,14} a|ma \\p{L}{2,14} a) (?:\\p{L}{1,14} ){0,2}?(?:\\p{L}{2,14}(?:\\u00e9(?:s|e|es)?|i|u|us)|pris|mis|fait|dit|écrit|vu|eu|ouvert|offert)(?![\\p{L}])|\\b(?:je suis|on est|nous sommes|il est|elle est) (?:allée?s?|partie?s?|venue?s?|arrivée?s?|rentrée?s?|sortie?s?|tombée?s?|montée?s?|passée?s?)(?![\\p{L}])|\\b(?:je|nous) (?:me|nous) (?:suis|sommes) \\p{L}",
  likes:
    "\\b(?:j'aime|j'adore|je déteste|je préfère|j'apprécie|je n'aime|j'aime pas|je kiffe|je raffole|je hais|je ne supporte|je supporte pas|nous aimons|nous adorons|on adore|on aime)\\b|\\bpréférée?s?\\b|\\bfan d(?:e|')|\\bj'ai horreur\\b|\\b(?:me plaît|me plaisent)\\b|\\bpassionnée? (?:de|par)\\b",
  past: `\\b(?:hier|avant-hier|l'autre (?:jour|soir)|la semaine (?:dernière|passée)|${WEEKDAY} (?:dernier|passé)|le week-?end (?:dernier|passé)|la nuit dernière|il y a (?:un|une|deux|trois|quelques|\\d{1,3}) (?:jours?|semaines?|heures?|minutes?))\\b`,
  future: `\\b(?:demain|après-demain|(?:la semaine|le mois|l'année) prochaine?|${WEEKDAY} prochain|le mois prochain|dans (?:un|une|deux|trois|quelques|\\d{1,2}) (?:jours?|semaines?|heures?|mois))\\b`,
  day: `\\b(?<!(?:le|les|chaque|tous les|du|au) )${WEEKDAY}\\b(?! (?:dernier|passé|prochain))|\\bce ${WEEKDAY}\\b|\\ble \\d{1,2}(?:er)? ${MONTH}\\b`,
  now: "\\b(?:aujourd'hui|tout de suite|là maintenant|ce (?:matin|soir)|cet après-midi|cette nuit|à l'instant)\\b",
  current:
    "\\b(?:actuellement|en ce moment|ces (?:jours|temps)-ci|ces derniers temps|ce (?:mois|trimestre|semestre)|ce mois-ci)\\b",
  until:
    "\\b(?:pour l'instant|pour le moment|cette semaine|ce week-?end|jusqu'(?:à|au|en)|temporairement|pendant (?:deux|trois|quelques|\\d{1,2}) (?:jours|semaines|mois))\\b",
  lasting:
    "\\b(?:toujours|chaque|tous les|toutes les|quotidien\\p{L}*|d'habitude|généralement|normalement|jamais|souvent|depuis|le (?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)(?! \\d)|l'an(?:née)? (?:dernière?|passée?)|le mois dernier|l'été dernier|il y a (?:\\p{L}{1,9} |\\d{1,3} )?(?:ans?|mois)|en (?:19|20)\\d\\d|anniversaire|né(?:e)? (?:à|en|le)|grandi|fois par)\\b",
};

export const FRENCH_CALENDAR: Calendar = {
  months: [
    ...["janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août"],
    ...["septembre", "octobre", "novembre", "décembre"],
  ],
  dates: [
    "\\b(?<day>\\d{1,2})(?:er)? {month}\\b(?: (?<year>20\\d\\d))?",
    "\\b(?:en|jusqu'en|avant|fin|début|mi-) ?{month}\\b(?: (?<year>20\\d\\d))?",
  ],
};
