import { starts } from "#core/language/patterns";
import { isOccupation } from "./occupations.ts";
import { keyOf, type Rule, SURE } from "./rule.ts";

const ADV =
  "(?:(?:sehr|wirklich|total|auch|einfach|besonders|am liebsten|eigentlich|persönlich|immer|noch|gerade|jetzt|aktuell|zurzeit|derzeit|seit [\\p{L}0-9]+) )*";
const UNCLEAR = starts(
  "(?:es\\b|das\\b|dies|dich\\b|deine?|ihn\\b|sie\\b|kein|nicht\\b|.*\\bnicht(?: mehr)?\\b(?! ausstehen)|(?:die |den |das )?(?:\\p{L}+ )?(?:option|variante|version|antwort|idee|vorschlag)|wie\\b|was\\b|wenn\\b.*\\bwürde|.*\\bwürde|\\W*$|.*\\bdein)",
);
const HABIT =
  "(?:normalerweise|meistens|meist|immer|gewöhnlich|oft|üblicherweise|in der regel|für gewöhnlich|häufig|grundsätzlich|nie)";
const VERB = "(?!(?:bin|war|hatte|wollte|dachte|würde|muss|kann|habe|hätte|sollte|könnte|ging|wusste)\\b)\\p{L}+e";

export const GERMAN: readonly Rule[] = [
  {
    category: "preference",
    confidence: SURE.plain,
    pattern: starts("meine? lieblings-?(?<noun>\\p{L}+) (?:ist|sind|bleibt) (?!nicht\\b|kein)"),
    refuse: starts("\\W*$|\\.\\."),
    key: ({ noun }) => keyOf("preference:favorite_", noun ?? ""),
  },
  {
    category: "preference",
    confidence: SURE.strong,
    pattern: starts(`ich ${ADV}(?:bevorzuge|liebe|hasse|mag|verabscheue|genieße) ${ADV}`),
    refuse: UNCLEAR,
  },
  {
    category: "preference",
    confidence: SURE.strong,
    pattern: starts("ich kann (?!das\\b|es\\b|dich\\b)[^,;:]{2,80} nicht (?:ausstehen|leiden|ab)\\b"),
  },
  {
    category: "preference",
    confidence: SURE.usual,
    pattern: starts(
      "ich (?!würde|hätte|möchte|könnte|wäre)\\p{L}+e (?:[^,;:]{0,40} )?(?:lieber|gern|gerne|am liebsten|ungern)\\b(?! (?:wissen|hätte))",
    ),
    refuse: starts(".*\\b(?:würde|hätte)\\b|.*\\bdein"),
  },
  {
    category: "decision",
    confidence: SURE.usual,
    pattern: starts(
      "(?:ich habe|wir haben|ich hab) (?:mich|uns) (?:[^,;:]{0,60} )?(?:für|gegen|entschieden) ?(?!deine|die (?:erste|zweite|dritte))",
    ),
  },
  {
    category: "decision",
    confidence: SURE.usual,
    pattern: starts(
      "(?:ich werde|wir werden) (?!es\\b|das\\b|vielleicht|wahrscheinlich|dein)[^,;:]{2,80} (?:benutzen|verwenden|nutzen|einsetzen|nehmen)\\b",
    ),
  },
  {
    category: "decision",
    confidence: SURE.usual,
    pattern: starts("(?:ich bin|wir sind) (?:jetzt |nun )?(?:auf|zu) [^,;:]{2,60} (?:umgestiegen|gewechselt)\\b"),
  },
  {
    category: "habit",
    confidence: SURE.usual,
    pattern: starts(`(?:ich|wir) (?:${VERB}|stehen?|trinken|essen) (?:[^,;:]{0,40} )?${HABIT}\\b`),
    refuse: starts(".*\\bwürde|.*\\b(?:fehler|exception)\\b|\\W*(?:noch )?nicht\\b"),
  },
  {
    category: "habit",
    confidence: SURE.usual,
    pattern: starts(
      `(?:jeden|jede) (?:morgen|abend|tag|nachmittag|woche|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag) ${VERB} (?:ich|wir)\\b|${HABIT} ${VERB} (?:ich|wir)\\b`,
    ),
  },
  { category: "habit", confidence: SURE.usual, pattern: starts("ich (?:esse|trinke|rauche) (?:kein|nie\\b)") },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts("ich hei(?:ß|ss)e (?=(?-i:\\p{Lu}))|mein name ist (?=(?-i:\\p{Lu}))"),
    key: "identity:name",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(`ich ${ADV}(?:wohne|lebe) ${ADV}(?:in|bei|nahe|am|im|auf|außerhalb von)\\b `),
    refuse: starts(".*\\b(?:nicht|würde)\\b|angst|der (?:vergangenheit|hoffnung)"),
    key: "identity:home",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts("(?:ich bin|wir sind) (?!nicht\\b)(?:[^,;:]{0,40} )?(?:nach|in die|aufs?) [^,;:]{2,40} (?:um)?gezogen\\b"),
    key: "identity:home",
  },
  { category: "identity", confidence: SURE.plain, pattern: starts(`ich arbeite ${ADV}als `), key: "identity:occupation" },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(`ich arbeite ${ADV}(?:bei|beim|für) `),
    refuse: starts("(?:nacht|mich\\b|dich\\b)"),
    key: "identity:work",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(
      `ich bin (?:von beruf |gelernte[rn]? |eine?n? |selbstständige[rn]? )?(?<calling>[\\p{L}-]+)(?=\\s*$|[,;:)]| (?:und|aber|in|bei|an|von)\\b)`,
    ),
    key: "identity:occupation",
    accepts: ({ calling }) => isOccupation(calling ?? ""),
  },
  { category: "identity", confidence: SURE.plain, pattern: starts(`ich ${ADV}studiere ${ADV}(?!gerade deine)`) },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(
      `ich bin ${ADV}(?:eine? )?(?:vegetarierin|vegetarier|vegetarisch|veganerin|veganer|vegan|pescetarier)(?=\\s*$|[,;:)]| (?:und|aber|seit)\\b)`,
    ),
    key: "identity:diet",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(
      `ich bin ${ADV}(?:allergisch gegen|(?:laktose|gluten)intolerant|schwanger|diabetiker|katholisch|evangelisch|muslim|jüdisch|schwul|lesbisch|geschieden|verheiratet|single|linkshänder)`,
    ),
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(
      "ich habe (?:eine )?(?:diabetes|asthma|adhs|depressionen|angststörung|migräne|epilepsie|krebs|\\p{L}+allergie)",
    ),
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts("ich (?:bin|wurde) (?:am |im |in |19|20)[^,;:]{2,40} geboren\\b"),
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts("ich bin (?:jetzt |gerade )?\\d{1,3}(?= jahre|\\s*$)"),
    key: "identity:age",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts("ich komme (?:ursprünglich )?aus (?=(?-i:\\p{Lu}))"),
    refuse: starts("(?:zeit|spaß)"),
    key: "identity:origin",
  },
  { category: "identity", confidence: SURE.plain, pattern: starts("mein (?:geburtstag) ist am "), key: "identity:birthday" },
  { category: "identity", confidence: SURE.plain, pattern: starts("ich spreche (?!mit\\b|von\\b|über\\b)[\\p{L}]") },
  {
    category: "task",
    confidence: SURE.plain,
    pattern: starts("(?:bitte )?erinnere? mich (?:bitte |morgen |heute |später )?(?:daran|an)\\b"),
  },
  { category: "task", confidence: SURE.plain, pattern: starts("lass mich nicht vergessen\\b") },
  {
    category: "task",
    confidence: SURE.weak,
    pattern: starts(
      "(?:ich muss|wir müssen) (?!(?:wissen|verstehen|sagen|zugeben|fragen|lachen|dich|dir)\\b)(?!.*\\b(?:wissen|verstehen|sagen|zugeben|fragen|lachen)$)[\\p{L}]",
    ),
  },
];

export const GERMAN_REMEMBER =
  "(?:bitte )?(?:merk(?:e)? dir|denk(?:e)? (?:bitte )?dar(?:an)|vergiss (?:bitte )?nicht|beachte?|behalte im (?:kopf|hinterkopf)|notiere?)(?: bitte)?,? (?:dass )|(?:bitte )?merk(?:e)? dir: ";

/** Clauses after "dass", whose verb comes last. */
export const GERMAN_VERB_LAST: readonly Rule[] = [
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts("ich (?:[^,;:]{0,30} )?(?:in|bei|nahe|am) [^,;:]{2,60} (?:wohne|lebe)$"),
    key: "identity:home",
  },
  { category: "identity", confidence: SURE.plain, pattern: starts("ich [^,;:]{1,40} heiße$"), key: "identity:name" },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts("ich (?:vegan|vegetarier(?:in)?|veganer(?:in)?) bin$"),
    key: "identity:diet",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts("ich (?:gegen [^,;:]{2,40} )?allergisch (?:gegen [^,;:]{2,40} )?bin$"),
  },
  {
    category: "preference",
    confidence: SURE.plain,
    pattern: starts("ich (?!kein|nicht)[^,;:]{2,80} (?:mag|liebe|hasse|bevorzuge)$"),
  },
];
