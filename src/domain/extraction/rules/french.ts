import { starts } from "#core/language/patterns";
import { isOccupation } from "./occupations.ts";
import { keyOf, type Rule, SURE } from "./rule.ts";

const ADV =
  "(?:(?:beaucoup|bien|vraiment|aussi|toujours|surtout|plutôt|énormément|maintenant|actuellement|encore|personnellement) )*";
const UNCLEAR = starts(
  "(?:ça\\b|cela\\b|ce\\b|cette\\b|cet\\b|ces\\b|ta\\b|ton\\b|tes\\b|votre\\b|vos\\b|.*\\b(?:ta|ton|tes|votre)\\b|la façon|comment\\b|(?:la |le |les )?(?:première?|deuxième|seconde?|troisième|dernière?|autre)\\b|(?:l'|la |ta )?(?:option|réponse|version|idée|proposition)\\b|\\W*$|.*\\bpas\\b(?! que)|.*\\bsi j)",
);
const VERB = "(?!(?:voulais|pensais|croyais|étais|avais|dois|ai|suis|n)\\b)(?:me |m'|le |la |l'|y )?\\p{L}+[esx]";

export const FRENCH: readonly Rule[] = [
  {
    category: "preference",
    confidence: SURE.plain,
    pattern: starts(
      "(?:mon|ma|mes) (?<noun>[\\p{L}-]+(?: de [\\p{L}]+)?) (?:préférée?s?|favorite?s?) (?:est|sont|c'est|reste) (?!pas\\b)",
    ),
    refuse: starts("\\W*$|\\.\\."),
    key: ({ noun }) => keyOf("preference:favorite_", noun ?? ""),
  },
  {
    category: "preference",
    confidence: SURE.strong,
    pattern: starts(`(?:moi,? )?(?:je préfère|j'adore|j'aime|je déteste|je hais|je raffole de|j'apprécie) ${ADV}`),
    refuse: UNCLEAR,
  },
  { category: "preference", confidence: SURE.strong, pattern: starts("(?:je ne|j'ne|je) supporte pas (?!ça\\b|que tu)[\\p{L}]") },
  {
    category: "decision",
    confidence: SURE.usual,
    pattern: starts("(?:j'ai|nous avons|on a) (?:finalement |enfin )?(?:choisi|décidé (?:de |d')|opté pour|adopté) ?"),
    refuse: starts("(?:ça|cela|ta\\b|ton\\b|la (?:première|deuxième)|\\W*$)"),
  },
  {
    category: "decision",
    confidence: SURE.usual,
    pattern: starts("(?:je vais|nous allons|on va) (?:utiliser|adopter|prendre|passer à|rester sur) "),
    refuse: starts("(?:ça|cela|ta\\b|ton\\b|ce que|la (?:première|deuxième)|.*\\bsi\\b)"),
  },
  {
    category: "habit",
    confidence: SURE.usual,
    pattern: starts(
      `(?:d'habitude|habituellement|normalement|en général|généralement|chaque (?:matin|soir|jour|semaine)|tous les (?:matins|soirs|jours|lundis|mardis|mercredis|jeudis|vendredis|samedis|dimanches)|le (?:matin|soir|weekend|week-end)),? (?:je |j'|on |nous )${VERB}`,
    ),
  },
  {
    category: "habit",
    confidence: SURE.usual,
    pattern: starts(`(?:je |j')${VERB} (?:presque )?(?:toujours|souvent|généralement|d'habitude|habituellement|rarement)\\b`),
    refuse: starts(".*\\b(?:erreur|exception)\\b|.*\\b(?:ta|ton|tes)\\b| pas\\b"),
  },
  {
    category: "habit",
    confidence: SURE.usual,
    pattern: starts("je ne (?:mange|bois|fume) (?:pas|jamais|plus) (?!ça)[\\p{L}]|(?:j'ai l'habitude de|j'ai tendance à) "),
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts("(?:moi,? )?(?:je m'appelle|mon nom est|mon prénom est) (?=(?-i:\\p{Lu}))"),
    key: "identity:name",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(`(?:j'habite|nous habitons|je vis|nous vivons) ${ADV}(?:à|en|au|aux|dans|près de|sur) `),
    refuse: starts("(?:un rêve|la peur|l'espoir)"),
    key: "identity:home",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(
      "(?:j'ai|nous avons|on a) (?:récemment )?(?:déménagé|emménagé) (?:à|en|au|aux|dans) |je viens de (?:déménager|m'installer) (?:à|en|au) |je me suis installée? (?:à|en|au) ",
    ),
    key: "identity:home",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(`je travaille ${ADV}(?:comme|en tant que) `),
    refuse: starts("(?:un fou|prévu)"),
    key: "identity:occupation",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(`je travaille ${ADV}(?:chez|pour|à l'|au) ?`),
    refuse: starts("(?:moi\\b|maison|moment|la maison)"),
    key: "identity:work",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(`je suis (?:une? )?(?<calling>[\\p{L}-]+)(?=\\s*$|[,;:)]| (?:et|mais|à|en|chez|de|au)(?: |$))`),
    key: "identity:occupation",
    accepts: ({ calling }) => isOccupation(calling ?? ""),
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(
      "je suis (?:une? )?(?:végétarien(?:ne)?|végane?|vegan|pescétarien(?:ne)?)(?=\\s*$|[,;:)]| (?:et|mais|depuis)\\b)",
    ),
    key: "identity:diet",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(
      "je suis (?:allergique|intolérante? au|diabétique|enceinte|cœliaque|catholique|musulmane?|juive?|athée|gay|lesbienne|bisexuelle?|gauchère?|gaucher|célibataire|mariée?|divorcée?|veuve?|veuf)(?=\\s*$|[,;:) ])",
    ),
    refuse: starts("(?: à (?:ça|cela|rien))"),
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(
      "j'ai (?:de l'asthme|du diabète|un tdah|une dépression|de l'anxiété|une allergie|un cancer|des migraines|l'épilepsie)",
    ),
  },
  { category: "identity", confidence: SURE.plain, pattern: starts("j'ai \\d{1,3} ans(?=\\s*$|[,;:)]| et)"), key: "identity:age" },
  { category: "identity", confidence: SURE.plain, pattern: starts("je suis née? (?:à|en|au|le) ") },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts("je (?:viens|suis originaire) (?:de |d'|du )(?=(?-i:\\p{Lu}))"),
    key: "identity:origin",
  },
  { category: "identity", confidence: SURE.plain, pattern: starts("mon anniversaire est le "), key: "identity:birthday" },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(
      "j'étudie (?!ça\\b|ta\\b)[\\p{L}]|je parle (?!de\\b|d'|avec\\b|à\\b|du\\b|trop\\b|en\\b)(?:couramment )?[\\p{L}]",
    ),
  },
  {
    category: "task",
    confidence: SURE.plain,
    pattern: starts("(?:s'il te plaît,? |stp,? )?(?:rappelle(?:z)?-(?:moi|nous)|fais-moi penser) (?:de |d'|à |que )"),
  },
  {
    category: "task",
    confidence: SURE.weak,
    pattern: starts(
      "(?:je dois|nous devons|on doit|il faut que je) (?!(?:savoir|comprendre|demander|dire|avouer|admettre|voir|te|vous)\\b)[\\p{L}]",
    ),
  },
];

export const FRENCH_REMEMBER =
  "(?:s'il te plaît,? |stp,? )?(?:souviens-toi|rappelle-toi|n'oublie (?:pas|jamais)|note(?: bien)?|garde en tête|retiens(?: bien)?|sache)(?: s'il te plaît)? (?:que |qu')|(?:souviens-toi|note|retiens) ?: ";
