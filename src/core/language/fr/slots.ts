import type { SlotWords } from "#core/language/pack";

export const FRENCH_SLOTS: SlotWords = {
  home: "\\b(?:n'habite|n'habitons|ne vis|ne vivons|habite|vis) plus (?:à|en|au|chez|dans)\\b|\\b(?:retourné|retournée|revenu|revenue|emménagé|déménagé) (?:chez|à|en|au|dans)\\b",
  work: "\\b(?:démissionné|licencié|licenciée|viré|virée)\\b|\\b(?:quitté|lâché) (?:mon|le) (?:boulot|travail|job|poste)\\b|\\b(?:nouveau|nouvel) (?:boulot|travail|job|emploi|poste)\\b|\\bne travaille plus\\b|\\bcommencé? (?:chez|comme) ",
  diet: "\\b(?:suis|suis vraiment) plus (?:végétarien(?:ne)?|végane?|vegan)\\b|\\b(?:devenue?|passée?) (?:végétarien(?:ne)?|végane?|vegan)\\b|\\bremange de la viande\\b",
  partner:
    "\\b(?:s'est|sommes|nous sommes) (?:séparés?|quittés?|mariés|pacsés|fiancés)\\b|\\b(?:on a rompu|j'ai rompu|je suis célibataire|suis (?:mariée?|divorcée?))\\b",
  called: "\\bappelle-moi \\p{L}",
  language:
    "\\b(?:réponds|réponds-moi|écris|parle)\\b[^.!?]{0,60}(?<!\\p{L})en (?:français|anglais|allemand|espagnol|italien)\\b",
  emoji: "\\b(?:emojis?|émojis?|smileys?)\\b",
  length: "\\bréponses?\\b[^.!?]{0,60}(?<!\\p{L})(?:courtes?|brèves?|longues?|détaillées?)\\b",
  address: "\\b(?:tutoie|tutoyer|vouvoie|vouvoyer)\\b",
  unreal: "\\b(?:presque|failli|rêvé|envie de|pense à|pensais|voulais|voudrais|pourrais|pour le week-end)\\b",
  returned: "\\b(?:de retour|à nouveau|de nouveau|retournée?|revenue?)\\b",
  conditional: "\\b(?:quand|si|lorsque|lorsqu|tant que)\\b",
};
