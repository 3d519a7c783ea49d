import type { LanguagePack } from "#core/language/pack";
import { FRENCH_ASKED } from "./asked.ts";
import { FRENCH_FORGET } from "./forget.ts";
import { FRENCH_FORMS } from "./forms.ts";
import { FRENCH_LIST_TALK } from "./list-talk.ts";
import { FRENCH_LISTS } from "./lists.ts";
import { FRENCH_SENSITIVITY } from "./sensitivity.ts";
import { FRENCH_CALENDAR, FRENCH_SIGNS } from "./signs.ts";
import { FRENCH_SLOTS } from "./slots.ts";
import { FRENCH_WORDS } from "./words.ts";

export const FRENCH: LanguagePack = {
  code: "fr",
  spaced: true,
  words: FRENCH_WORDS,
  slots: FRENCH_SLOTS,
  signs: FRENCH_SIGNS,
  calendar: FRENCH_CALENDAR,
  possessive: "mon|ma|mes|notre|nos",
  changes: {
    ended:
      "\\b(?:(?:ne|n'|j|suis|fais|vais|veux|peux|mange|bois|fume|travaille|habite|vis|ai|est|pas)[\\p{L}']{0,12} (?:[\\p{L}']{1,16} ){0,2}plus(?! (?:de|que|tard|d')\\b)|plus jamais|quitté|arrêté|annulé\\p{L}{0,12}|rompu|séparés?|divorcé\\p{L}{0,12}|vendu|démissionné|lâché|abandonné|viré|décédé\\p{L}{0,12}|terminé|perdu|oublie|laisse tomber)\\b",
    renewed:
      "\\b(?:maintenant|désormais|dorénavant|à la place|au lieu de|à partir de|changé|déménagé|emménagé|passée? à|je voulais dire|correction|augmenté|baissé|reporté\\p{L}{0,12}|décalé\\p{L}{0,12}|avancé|remplacé?)\\b",
    stops: "\\b(?:arrête|arrêter|cesse|laisse|assez|plus besoin|plus (?:de|d')|pas la peine|inutile de)\\b",
    resumes: "\\b(?:à nouveau|de nouveau|reviens|revenir|reprendre|normal(?:ement)?|comme avant)\\b",
    happened:
      "\\b(?:hier|la semaine dernière|le mois dernier|l'an(?:née)? (?:dernier|dernière|passée)|il y a (?:\\p{L}{1,16} |\\d{1,6} )?(?:jours|semaines|mois|ans)|avant)\\b",
    unreal:
      "\\b(?:presque|failli|rêv\\p{L}*|cauchemar|pens(?:é|ais|ait|e) à|envisag\\p{L}*|peut-être|voulais|voulait|allais|pourrait|devrait|devrais|rumeur\\p{L}*|blague|proposé|un jour)\\b",
    once: "\\b(?:cette (?:semaine|fois)|ce (?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|soir|matin|week-end|mois)|juste une fois|exceptionnellement|demain|aujourd'hui|hier|la semaine prochaine|férié|pour une fois)\\b",
    beside: "\\b(?:aussi|également|en plus|autres?|deuxième|second|seconde|troisième|voisin\\p{L}*)\\b",
    stays:
      "\\b(?:toujours|encore|reste|restent|resté\\p{L}*|garde|gardé|gardons|même|mêmes|comme (?:avant|d'habitude|toujours)|inchangé\\p{L}*)\\b",
  },
  asks: {
    amount: "\\b(?:combien|quand|quel(?:le)? (?:heure|jour|date|année|prix|taille|numéro|âge))\\b",
    byAssistant:
      "\\b(?:tu|vous) (?:m'|nous )?(?:as|avez|avais|aviez) |\\b(?:as|avez)-(?:tu|vous)\\b|\\btu (?:m'as|m'avais|disais|conseillais)",
    person: "\\b(?:qui|nom|prénom|appelle(?:nt)?)\\b",
    known: "\\b(?:rappel\\p{L}{0,6}|déjà|quel(?:le)?s?|quand|qui|combien)\\b",
  },
  greetings: "bonne (?:nuit|journée|soirée|année)|bon (?:week-?end|anniversaire)|à (?:demain|bientôt|plus tard)|joyeux noël",
  amounts:
    "deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|vingt|trente|quarante|cent|mille|demie?|quart|douzaine|euros?|balles|midi|minuit",
  frames: {
    standing: "(?:stp |s'il te plaît )?(?:toujours|jamais|dorénavant|désormais|à partir de maintenant|à chaque fois)\\b",
    prefers: "\\bje préfère(?:rais)?\\b|\\bj'aime(?:rais)? mieux\\b",
    ends: "\\bjusqu'(?:à|au) (?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|demain)\\b|\\b(?:cette semaine|ce week-end|quelques jours)\\b",
    steering: "\\b(?:toujours|jamais|faut|doit|doivent)\\b.{0,60} (?:dire|répond[a-z]{0,4}|recommand[a-z]{0,4})\\b",
    anybody: "tout le monde|quelqu'un",
    asked: "(?:est-ce|o\\u00f9|qui|que|quels?|quelles?|comment|pourquoi|combien|peux-tu|tu peux)\\b",
    relative: "(?:qui|que|o\\u00f9)\\b",
    tag: "(?:non|n'est-ce pas|hein)",
    request: "(?:peux-tu|tu peux|pourrais-tu) (?:me rappeler|noter|retenir|te souvenir)\\b",
    supposed: "\\b(?:imagine[rz]?|imaginons|supposons|suppose[rz]?|admettons|s'il(?! te| vous)|peut-être)\\b|\\bsi(?![\\p{L}',])",
    reported: "\\b(?:a dit|dit que|disent|écrit que|pense que|croit|selon|d'apres)\\b",
    attributed: ",\\s*(?:dit|a dit|disait)[ -]\\p{L}+(?=\\W*$)",
    past: "\\b(?:avant,? (?:j'|je |on |c'était)|autrefois|quand j'étais|(?:petite?|enfant),? (?:je |j'))",
    material:
      "(?:traduis|corrigez?|réécris|reformule|resume)\\b|(?:écris|raconte|invente)\\b.{0,200} (?:histoire|poème|chanson|dialogue|conte)|(?:cher|chère) (?:monsieur|madame)|(?:par exemple|exemple)\\b ?[:,]",
    staged:
      "(?:imagine|imaginons|supposons|admettons|fais comme si|tu es une? |joue le rôle)\\b|(?:pour|dans) le jeu de rôle|dans (?:le|ce) roman\\b|jeu de rôle ?:",
    elsewhere: "\\b(?:dans (?:l'histoire|mon rêve|le roman))\\b",
    laughter: "\\b(?:mdr|ptdr|xptdr)\\b",
    joke: "\\b(?:je plaisante|blague)\\b",
    reopening: "(?:mais|au fait)\\b",
    aside: "(?:au fait|d'ailleurs)\\b",
    harmless: "\\b(?:j'ai dit|je t'ai dit|si (?:tu veux|possible|tu peux))\\b",
  },
  conjunctions:
    "et|mais|car(?= (?:je|j'\\S+|il|elle|on|c'\\S+|ce|nous|vous|tu|mon|ma|mes|le|la|les|ça))|parce que|pcq|donc|quand|depuis|puisque|alors|sauf que",
  joins: "avec|sans|ou|ni|qui|que|dont|où|aussi|malgré|en dépit de|grâce à|à cause de",
  since: "depuis",
  stating: {
    calls: "appelle appellent s'appelle",
    words:
      "dernier derniere l'an a au aux en chez dans pour sur pres par nouveau actuellement toujours encore comme de prefere preferee m'appelle vis habite j'habite travaille demenage marie mariee",
    years: "en",
    employed: "chez pour",
  },
  shared: {
    pronoun: "je|j'|nous|on",
    copula: "suis|sommes",
    states:
      "allergiques?|cœliaques?|coeliaques?|diabétiques?|asthmatiques?|épileptiques?|intolérante?s?|enceinte|sourde?s?|aveugles?|autistes?",
  },
  subjects: "je|j'|mon|ma|on(?= (?:va|est|ne|se|doit|peut|fait))",
  before:
    "en fait|au fait|d'ailleurs|parce que|non(?=[,.!])|bonjour|salut|et|mais|bon|alors|oui|franchement|car|moi|s'il te plaît|stp",
  after: "merci|s'il te plaît",
  abbreviations: "m|mme|mlle",
  labels: "traduis|important",
  forwarded: "message",
  mailLines: "le [^\\n]{4,160}a écrit[^\\n]{0,60}:[ \\t]*$|(?:objet|de)[ \\t]*[:：][ \\t]*\\S",
  sensitivity: FRENCH_SENSITIVITY,
  moment: {
    words: "en ce moment|pour l'instant|tout de suite|aujourd[’']hui",
    actions: "est (?:le|la) prochaine?",
  },
  negation: {
    words: "non|ne|pas|jamais|sans|n['’]\\S{1,30} plus",
    contrary: "détest\\p{L}*|évit\\p{L}*",
    idioms: "n['’]oublie(?:z)? pas|pas seulement",
  },
  diets: "vegan|vegetari|halal|casher|gluten|lactose",
  names: {
    notAfter: "le|les|du|des|au|une|mon|ma|mes|ton|ta",
    verbs: "est|va|aime|habite",
  },
  asked: FRENCH_ASKED,
  lists: FRENCH_LISTS,
  listTalk: FRENCH_LIST_TALK,
  forms: FRENCH_FORMS,
  forget: FRENCH_FORGET,
};
