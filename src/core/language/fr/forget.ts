import type { ForgetWords } from "#core/language/forget-words";

const PLEASE = "(?:s'il te pla[iî]t|s'il vous pla[iî]t|stp|svp|bien|aussi|juste|maintenant|donc|vite|complètement|simplement)";
const OFTEN = `(?:${PLEASE},? ){0,4}`;
const FORGET = "(?:oublie[sz]?|oublions|désapprends)";
const FORGETTING = "(?:oublier|oublies|oubliiez|oublie|désapprendre)";
const DELETE = "(?:efface[sz]?|supprime[sz]?|retire[sz]? (?=.{0,80}(?:mémoire|notes|données|dossiers?))|élimine[sz]?)";
const DELETING = "(?:effacer|effaces|effaciez|efface|supprimer|supprimes|supprimiez|supprime)";
const KEEP = "(?:garde[sz]?|retiens|retenez|retiennes|mémorise[sz]?|enregistre[sz]?|conserve[sz]?|stocke[sz]?|note[sz]?)";
const ASK = `(?:est-ce que )?(?:tu|vous) (?:peux|pourrais|pouvez|pourriez|veux bien|voulez bien) |(?:peux|pourrais|pouvez|pourriez|veux|voudrais|voulez)-(?:tu|vous) (?:bien )?|est-ce que (?:tu|vous) (?:peux|pourrais|pouvez|pourriez) |je (?:te|vous) (?:demande|prie|saurais gré) (?:de |d')|merci (?:de |d')|(?:veuille|veuillez) |il faut `;
const WISH =
  "(?:je|j') ?(?:veux|voudrais|souhaite|souhaiterais|aimerais|aimerais bien|préfère|préférerais|demande|apprécierais)(?: bien)? que (?:tu |vous |t')|il faut que (?:tu |vous )|ce serait bien (?:que|si) (?:tu |vous )";

const asked = (verbs: string) => [
  `(?:${ASK})${OFTEN}${verbs}\\b(?<object>.*)`,
  `(?:${WISH})${OFTEN}${verbs}\\b(?<object>.*)`,
  `${OFTEN}${verbs}\\b(?<object>.*)`,
];

export const FRENCH_FORGET: ForgetWords = {
  lead: "oh|ah|euh|hm+|non|oui|ok|okay|d'accord|salut|bonjour|bonsoir|coucou|alors|donc|et|mais|aussi|désolée?|pardon|en fait|finalement|au fait|attends|écoute|merci|bon|ben|bref|maintenant|tiens",
  polite: "je (?:te|vous) (?:en )?prie|s'il te pla[iî]t|s'il vous pla[iî]t|stp|svp|steuplait|merci (?:de|d')",
  forgets: [
    `${FORGET}\\b(?! pas\\b)(?<object>.*)`,
    ...asked(FORGETTING),
    "(?<object>.{0,100}?) ?(?:tu|vous) (?:peux |pouvez |veux bien |dois )?(?:l'|les |la |le )?(?:oublies?|oubliez|oublier)\\b(?<more>.*)",
  ],
  stores: [
    "(?:pas|plus) (?:besoin|la peine|nécessaire) de (?:garder|retenir|mémoriser|enregistrer|conserver|noter)\\b(?<object>.*)",
    "(?:fais|faites|faisons) comme si (?<object>(?:je|j'|tu|vous) ?.*)",
    `(?:il (?:vaut|vaudrait) mieux |mieux vaut |je préfère |je préférerais |merci de |prière de )(?:ne |n')(?:rien |pas |plus )(?:garder|retenir|mémoriser|enregistrer|conserver|stocker|noter)\\b(?<object>.*)`,
    `(?<object>.{0,100}?),? ?(?:tu|vous) (?:ne |n')?(?:le |la |les |l')?(?:gardes?|gardez|retiens|retenez|notes?|notez|enregistres?|enregistrez) (?:surtout )?(?:pas|plus)\\b(?<more>.*)`,
    `(?:tu|vous) (?:ne |n')?(?:dois|devez|devrais|devriez|as|avez)(?: pas| plus)?(?: besoin de| à)? (?:pas |plus )?(?:garder|retenir|mémoriser|enregistrer|conserver|noter)\\b(?<object>.*)`,
    `(?:pas|aucune) (?:de )?(?:trace|note|mention)s? (?:de |d'|du |sur )(?<object>.*)`,
    `(?:${WISH})(?:ne |n')?(?:le |la |les |l')?(?:gardes?|gardiez|retiennes|reteniez|enregistres|notes?) (?:pas|plus|rien)\\b(?<object>.*)`,
    `(?:ne |n')?(?:le |la |les )?${KEEP} (?:surtout |donc )?(?:pas|plus)\\b(?<object>.*)`,
    `(?:${WISH})(?:ne |n')(?:le |la |les )?${KEEP} (?:pas|plus)\\b(?<object>.*)`,
    `(?:je|j') ?(?:ne )?(?:veux|souhaite|voudrais) pas que (?:tu |vous )${KEEP}\\b(?<object>.*)`,
    `(?:${ASK})${OFTEN}ne (?:pas|plus) (?:garder|retenir|mémoriser|enregistrer|conserver|stocker|noter)\\b(?<object>.*)`,
  ],
  deletes: [
    "(?:tu|vous) (?:m'|me )?(?:effaces|supprimes|effacez|supprimez)\\b(?<object>.*)",
    `(?:efface|supprime|retire|enlève)[sz]?-(?:le|la|les|moi ça|moi)\\b(?<object>.*)`,
    `${DELETE}\\b(?<object>.*)`,
    `(?:tu|vous) (?:peux|pouvez|pourrais|pourriez) (?:me )?(?:l'|le |la |les )?(?:faire disparaître|effacer|supprimer)\\b(?<object>.*)`,
    `(?:fais|faites|faire) disparaître\\b(?<object>.*)`,
    ...asked(DELETING),
  ],
  drops: [
    "(?:retire[sz]?|enlève[sz]?|enlevez|vire[sz]?|raye[sz]?|jette[sz]?)\\b(?<object>.*)",
    ...asked("(?:retirer|enlever|virer|rayer|jeter)"),
  ],
  said: "\\b(?:ce|tout ce|celui|celle) que (?:je|j')(?: ?(?:ai|t'ai|vous ai|viens|avais|t'avais|vous avais))?\\b.{0,20}(?:dit|raconté|confié|écrit|mentionné|parlé|expliqué|partagé|avoué|donné|envoyé)\\b|\\bque (?:je|j') ?(?:t'ai|vous ai|ai) (?:dit|raconté|confié|donné|mentionné|avoué|envoyé|partagé)e?s?\\b|\\bdont (?:je|j') ?(?:t'ai|vous ai|ai) parlé\\b|\\b(?:tu|vous) (?:sais|savez|as|avez|gardes|gardez|retiens|saches)\\b|\\b(?:ta|votre|tes|vos) (?:mémoire|notes|dossiers?|données|archives?|fichiers?|tête|historique|registres?)\\b",
  regrets:
    "\\b(?:(?:je|j') ?(?:n'aurais (?:pas|jamais) dû|regrette|ai (?:eu tort|laissé traîner|laissé|tapé|collé|mis))|n'aurais (?:pas|jamais) dû|j'ai (?:eu tort|laissé traîner|laissé|tapé|collé|mis)|(?:c'était|c'est) (?:bête|idiot|stupide|imprudent)(?: de)?|(?:pas|plus) (?:malin|prudent)(?: de)?|ne rien garder sur)\\b",
  thing:
    "\\b(?:le truc|la partie|l'histoire|le passage|le commentaire|mon commentaire|l'affaire|le coup|la phrase|le détail) (?:de|du|des|sur|avec|d'|où|que|à propos)",
  not: "\\b(?:pas|jamais|plus|encore une fois)\\b",
  worldly: "\\b(?:secret|dehors|dedans|au (?:chaud|froid|frigo|lit)|dans (?:le|la|les|un|une|mon|ma) \\p{L}{2,24})\\b",
  data: "\\b(?:numéro|code|pin|mot de passe|adresse|nom|mail|e-mail|téléphone|anniversaire|naissance|données|passeport|iban|salaire|identifiant)\\b",
  instead: "\\b(?:à la place|plutôt|au lieu|remplace|change (?:ça|le))\\b",
  definite: "(?:le|la|les|l'|où|qui|quand|comment|combien|ce|cette|ces)",
  about: "\\btout (?:ce qui (?:concerne|touche|est lié à|a trait à)|sur|à propos de|concernant|au sujet de)\\b",
  last: "(?:mon|le) (?:dernier|précédent) message\\b|(?:ce|tout ce) que je viens (?:de (?:te |vous )?|d')(?:dire|écrire|raconter|envoyer)\\b|la dernière chose que (?:je |j')",
  own: "(?:(?:les |l'|la |le )?(?:infos?|informations?|partie|détails?|fait|données) (?:sur|de|que|concernant) ?)?(?:tou(?:s|tes) )?(?:mon|ma|mes|notre|nos)\\b|(?:que|où|comment|qui|quand|combien) (?:je|j'|mon|ma|mes|nous)",
  bare: "(?:de )?(?:que|qu') ?\\p{L}{1,24} \\p{L}",
  pieces:
    "\\b(?:paragraphes?|phrases?|lignes?|mots?|titres?|introduction|conclusion|colonnes?|cellules?|tableaux?|sections?|chapitres?|diapos?|pages?|strophes?|couplets?|emojis?|virgules?|points?|étapes?|éléments?|ingrédients?|recettes?|listes?|dossier (?:de|du)|branches?|fonctions?|variables?|classes?|images?|photos?|vidéos?|fond|logo|appli|application|(?<!de )compte|cookies|cache|navigateur|brouillons?|versions?|rédaction|lettres?|poèmes?|scènes?|mails?|e-?mails?|courriels?|publications?|cv|facture|compte-rendu|menu|panier|calendrier|agenda|rendez-vous|rappels?|alarmes?|réservations?|commandes?|tâches?|taches?|doublons|contacts?|filtres?|index|commentaires?|téléchargements?)\\b",
  places: "de|du|des|dans|sur|d'|de la|de l'",
  goesOn: "(?:ce|tout|que|où|comment|qui|quand|mon|ma|mes|sur|et (?:ce|tout|que|mon|ma|mes|le|la|les|l'))\\b",
  reasons:
    "(?:parce que|car|puisque|pour que|comme ça|je (?:ne veux|n'aurais|ne voulais|regrette|préfère|préférerais)|j'(?:aurais|ai honte)|(?:il|elle) (?:m'a|ne|n'|serait|voudrait|m'avait)|(?:tu|vous) n'|si (?:tu peux|possible|c'est possible|vous pouvez)|(?:mon|ma|mes) \\p{L}{1,24} (?:utilise|lit|voit|regarde|peut|pourrait|se sert|ne)|pour toujours|pas besoin|inutile)",
  keeps: [
    "(?:mais |et |seulement ){0,4}(?:garde|gardez|conserve|laisse|retiens)\\b(?<kept>.*)",
    "(?:mais |et ){0,4}(?<kept>(?:le|la|les|l'|mon|ma|mes|tout) ?.{0,80}?)\\b(?:(?:peut|peuvent|peux) (?:rester|garder|être gardée?s?)|(?:c'est|est|sont) (?:ok|bon|bien))\\b.*",
    "(?:mais |et ){0,4}(?<kept>(?:le|la|les|l'|mon|ma|mes) ?.{0,80}?)\\b(?:tu peux|vous pouvez)(?: le| la| les| l')? ?(?:garder|laisser|retenir)\\b.*",
    "(?:mais |sauf |seulement ){0,4}(?:pas|sauf|excepté|hormis)\\b(?<kept>.*)",
  ],
  joins: "et|ou|ni|ainsi que",
  breaks: "parce que|avant que|avant qu'|parce qu'il|car|mais|puisque|pour que|parce qu'elle",
  points: "(?:le|la) (?:nouveau|nouvelle|bon|bonne)|c'est|ce sont|(?:il|elle|ça) est",
  belief: "religion religieux religieuse foi église croyances politique politiques vote voté voter parti orientation sexualité",
  medicine: "pilules pilule cachets comprimés médicaments",
  health:
    "opération test tests analyses symptômes santé médical médicale médicaux traitement diagnostic maladie maladies thérapie résultats allergie allergies",
  money: "salaire paie prix coût héritage loyer revenus argent finances financière financières dette dettes",
  alike: [
    "salaire revenus paie gagne gagner touche",
    "mariage marie marier marié mariée",
    "anniversaire naissance né née",
    "dette dettes dois doit",
    "divorce divorcé divorcée séparé séparée",
    "grossesse enceinte",
    "alcool boit boire",
    "nom appelle",
    "mort décédé morte",
    "travail travaille boulot métier",
    "licencié licenciée viré virée licenciement",
    "prison détenu",
    "vote voté voter votes",
  ],
  vague:
    "tôt trop commentaire commentaires partie passage coup laissé traîner faire disparaître mieux vaut hein garder rien ok oublies prie mieux monde le la les de du des d un une ça cela ce cette cet ces tout toute tous toutes truc trucs chose choses histoire affaire affaires sujet propos concernant concerne message messages que qu quoi qui dont ce dit dire raconté raconter parlé parler écrit écrire confié mentionné expliqué partagé avoué donné envoyé t te tu vous je j me m mon ma mes ta ton tes votre vos notre nos sur merci stp svp plaît plus pas ne garde garder gardes gardez efface effacer effaces supprime supprimer supprimes oublie oublier oublies retiens retenir enregistre mémorise conserve note notes mémoire dossier dossiers données archives fichiers tête historique écran parfois information informations infos info détail détails conversation conversations discussion chat privé privée personnel personnelle secret confidentiel confidentielle confiance honte gêne gênant gênée faux vrai erreur blague mensonge dernière dernier précédent avant hier tout à l'heure maintenant jamais prie priez vas personne quelqu'un autre autres gens bien mal ok aurais dû devrais voulais veux voudrais aimerais peux pourrais sais savez as avez ai été était est sont suis complètement définitivement toujours avec sans pour en y au aux et ou mais si se son sa ses leur situation problème problèmes assistant ia lié touche besoin utile inutile regrette viens",
};
