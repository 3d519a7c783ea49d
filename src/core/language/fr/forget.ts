import type { ForgetWords } from "#core/language/forget-words";

const B = "(?<!\\p{L})";
const B_END = "(?!\\p{L})";
const POLITE =
  "(?:s'il te plaît|s'il te plait|s'il vous plaît|stp|svp|s'te plaît|merci|euh|bon|ben|bah|alors|oh|ah|oui|non|ok|en fait|au fait|finalement|et|mais|donc|pardon|désolée?|dis|hé|hey|allez|tiens|du coup|plutôt|vite|juste)";
const KEEPING =
  "(?:gard(?:e|es|er|ez|é|ée)|enregistr(?:e|es|er|ez|é|ée)|stock(?:e|es|er|é|ée)|retien(?:s|ne|nes)|reten(?:ir|u)|not(?:e|es|er|é|ée)|conserv(?:e|es|er|é|ée)|mémoris(?:e|es|er|é)|souvien(?:s|nes|ne)|sauvegard(?:e|es|er|é)|reste|restent|traîne|traine|apparaisse|figure|saches|ressortir|ressorte)";
const SAYING =
  "(?:dit|dis|raconté|confié|avoué|écrit|mentionné|parlé|donné|expliqué|balancé|sorti|partagé|évoqué|envoyé|lâché|tapé)";

export const FRENCH_FORGET: ForgetWords = {
  lead: [
    { often: `${POLITE}[\\s,.!…]+` },
    {
      once: "(?:tu peux|peux-tu|tu pourrais|pourrais-tu|vous pouvez|pouvez-vous|pourriez-vous|je veux que tu|je voudrais que tu|j'aimerais que tu|il faut que tu|faut que tu|tu dois|merci de|prière de|je te demande de|je préfère que tu) ",
    },
    { often: `${POLITE} ` },
    { once: "(?:me |m'|le |la |l'|les |tout )" },
    { often: `${POLITE} ` },
  ],
  surely: `(?:oubli(?:e|es|er|ez|ons)|désapprends)${B_END}(?:-(?:le|la|les|moi))?(?<object>.*)`,
  plainly:
    "(?:oublie|oubliez|efface|effacez|supprime|supprimez) (?:s'il te plaît |stp )?(?<object>(?:mon|ma|mes|notre|nos|que|qu'|où|combien|comment|tout)\\b.+)",
  perhaps: `(?:effac(?:e|es|er|ez)|supprim(?:e|es|er|ez)|enl[eè]v(?:e|es|er|ez)|retir(?:e|es|er|ez)|vir(?:e|es|er|ez)|jett(?:e|es)|jeter|ray(?:e|es|er)|vide|dégage|balance|fais disparaître|débarrasse-toi|ôte)${B_END}(?:-(?:le|la|les|moi))?(?: (?:de|ça))?(?<object>.*)`,
  behind: [
    {
      source: `(?<=.)${B}(?:(?:tu peux|stp|svp|s'il te plaît|merci de|faut|à) ){0,3}(?:le |la |l'|les |tout |m')?(?:effac(?:e|er|es)|supprim(?:e|er|es)|oubli(?:e|er|es)|enl[eè]v(?:e|er|es)|vire)${B_END}`,
    },
  ],
  wishes: [
    {
      source: `(?:${B}(?:pas|plus|jamais|sans|nulle part|rien|aucune trace)${B_END})(?<object>.{0,40}?)${B}(?=[acefgmnrst])${KEEPING}${B_END}`,
      unless: `${B}(?:il|elle|on|ils|elles|je (?:ne |n')?(?:l[ea] |les )?(?:garde|retiens|note|stocke))${B_END}`,
    },
    `\\b(?<!(?:je|il|elle|on) )(?:ne |n'|pas besoin de |inutile de |évite de )(?:le |la |l'|les |te |t'|en ){0,3}(?:${KEEPING})${B_END}(?<object>.*)`,
    `\\b(?<!(?:je|il|elle|on|je ne|il ne|elle ne|on ne) )(?:ne |n')?(?:le |la |les )?(?:garde|note|retiens|enregistre|stocke|conserve|mémorise) (?:pas|plus|rien|surtout pas)${B_END}(?<object>.*)`,
    `\\b(?:fais|faites|faisons) (?:comme si|semblant)(?<object>.{0,40}?)${B}(?:pas|jamais|rien)${B_END}`,
    `\\b(?:tu ne sais|tu sais) (?:rien|plus rien|pas)${B_END}(?<object>.*)`,
    `\\b(?:j'ai|je n'ai) (?:jamais|rien) ${SAYING}${B_END}(?<object>.*)`,
  ],
  harmless: [
    "\\b(?:n'|ne l'|ne les |ne m')oubli\\p{L}*",
    "\\b(?:jamais|pas|surtout pas|rien|j'ai|j'avais|tu as|il a|elle a|on a|j'|tu|on|il|elle) (?:\\p{L}+ ){0,2}oubli\\p{L}*",
    "\\bj'oubli\\p{L}*",
    "\\boubli(?:e|ez|ons)(?:-le)? (?:pas|jamais|surtout pas)\\b",
    "\\b(?:laisse tomber|oublie)\\b[\\s,.!-]{0,6}(?=$|,|\\.|!|on )",
    "\\bcomment (?:je )?(?:effacer?|supprimer?|enlever?|retirer?|faire)\\b.*",
  ].join("|"),
  material:
    "\\b(?:paragraphes?|phrases?|lignes?|virgules?|titres?|taches?|arrière-plan|colonnes?|mots?|emojis?)\\b|\\b(?:de|sur) (?:la|ma|notre) liste\\b",
  ofEarlier: `\\b(?:je |j'|on )(?:\\p{L}+[ '] ?){0,4}${SAYING}\\b|\\b(?:ce que|ce qu')\\b|\\b(?:le truc|l'histoire|cette histoire|le coup|le passage|la partie|les trucs|cette affaire|l'affaire|ce message|ça)\\b|\\bta (?:mémoire|tête|base)\\b|\\btes (?:notes|données|fichiers|archives)\\b|\\b(?:c'était|c'est) (?:faux|une erreur|privé|personnel|une blague|perso|un secret|n'importe quoi)\\b`,
  refers: `\\b(?:je |j'|on )(?:\\p{L}{1,20}[ '] ?){0,4}${SAYING}\\b|\\bta (?:mémoire|tête|base)\\b|\\btes (?:notes|données|fichiers|archives)\\b|\\b(?:l'histoire|le truc|le coup|le passage|la partie) (?:de|du|des|avec|sur)\\b`,
  yet: "mais|et",
  kept: [
    `\\b(?<!pas )(?:garde|laisse|conserve|gardez|tu peux garder|tu peux laisser)${B_END}(?! (?:pas|plus|tomber|rien)\\b)(?<object>.*)`,
    { source: `${B}(?:peut|peuvent) rester${B_END}` },
    { source: `${B}(?:tu peux (?:le |la |les )?(?:garder|laisser)|c'est (?:bon|ok)|ça va|c'est bon|pas de souci)${B_END}` },
    `\\bmais pas (?<object>(?:le|la|les|l'|mon|ma|mes) ?.*)`,
    `\\b(?:sauf|excepté|à part|hormis)${B_END}(?<object>.*)`,
  ],
  rest: "\\b(?:le reste|tout le reste|les autres|l'autre|seulement ça|juste ça|que ça)\\b",
  whole: "\\b(?:tout|toute|truc|trucs|histoire|affaire|ça|ce que|ce qu'|message|coup)\\b",
  all: "\\btout(?:e|es)?\\b.{0,30}\\b(?:sur|de|concernant|à propos|ce)\\b",
  asks: "(?:tu peux|peux-tu|tu pourrais|pourrais-tu|pouvez-vous|pourriez-vous)\\b",
  itself: "mais|et|le|la|les|ça|cela|tout|stp|svp|s'il te plaît|merci|vite|de là|complètement|maintenant|tout de suite",
  joints: "et|mais|car|parce que|parce qu'|donc|puis|ou",
  adds: "et|ou|ni",
  vague:
    "le la les de du des ça cela tout truc trucs histoire affaire message que ce qu dit raconté parlé écrit t je tu me mon ma mes sur merci stp plus pas garde efface supprime oublie écran mémoire notes parfois",
};
