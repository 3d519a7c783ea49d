import type { Language } from "./nouns.ts";
import { CARDINAL, ORDINAL } from "./ordinals.ts";
import {
  COUNT,
  COUNT_ZH,
  EDGE,
  FAV,
  FAV_ES,
  FAV_FR,
  HAN,
  IS_EN,
  LIKE_ZH,
  LINK,
  MEIN,
  MODS_DE,
  MODS_EN,
  NOUN_EN,
  NOUN_ES,
  NOUN_FR,
  NUMBER,
  QUAL_DE,
  QUAL_EN,
  QUAL_ES,
  QUAL_FR,
  STOP_EN,
  TOP,
  VERB_DE,
  VERB_EN,
  VERB_ES,
  VERB_FR,
  VERB_ZH,
  WORD_DE,
  WORD_ES,
  WORD_FR,
} from "./phrases.ts";
import { LETTERS } from "./plain-text.ts";

/** Where nothing links a noun to what follows, it ends with its clause. */
const END_EN = `(?= ?(?:[^${LETTERS}\\d\\s'&+-]|\\n|$)| ${STOP_EN}(?![${LETTERS}\\d]))`;

export type Pattern = { language: Language; form: "list" | "single" | "backward"; knownOnly?: true; source: string };

/** How a speaker begins to say what they like best. */
export const INTRO_PATTERNS: readonly Pattern[] = [
  {
    language: "en",
    form: "list",
    source: `${EDGE}my ${MODS_EN}${FAV} (?:${CARDINAL} )?${NOUN_EN}${QUAL_EN}(?:${VERB_EN}|${LINK})`,
  },
  {
    language: "en",
    form: "list",
    knownOnly: true,
    source: `${EDGE}my (?:all[- ]time )?(?<count>${TOP}) ${NOUN_EN}${QUAL_EN}(?:${VERB_EN}|${LINK})`,
  },
  {
    language: "en",
    form: "list",
    knownOnly: true,
    source: `${EDGE}my ${NOUN_EN} (?:ranking|ranked|(?<count>${TOP}))${QUAL_EN}(?:${VERB_EN}|${LINK})`,
  },
  {
    language: "en",
    form: "list",
    source: `(?<=^)(?:${TOP} |${CARDINAL} )?${FAV} ${NOUN_EN}${QUAL_EN}(?: ?[:=]+[ \\n]*|\\n{1,2})`,
  },
  {
    language: "en",
    form: "single",
    source: `${EDGE}my (?<rank>${ORDINAL.en}|${NUMBER}${CARDINAL})[ -](?:most[ -])?${FAV} ${NOUN_EN}${IS_EN}`,
  },
  { language: "en", form: "single", knownOnly: true, source: `${EDGE}my (?<rank>${NUMBER}${CARDINAL}) ${NOUN_EN}${IS_EN}` },
  { language: "en", form: "single", source: `${EDGE}my ${FAV} ${NOUN_EN} (?<rank>${NUMBER}${CARDINAL})${IS_EN}` },
  {
    language: "en",
    form: "single",
    source: `${EDGE}my (?<rank>${ORDINAL.en}|${NUMBER}${CARDINAL})(?: ${FAV})?(?: one| choice| pick)?${IS_EN}`,
  },
  {
    language: "en",
    form: "backward",
    source: `(?: (?:is|are)|'s) (?:now |actually |definitely |still )?my (?<rank>${ORDINAL.en}|${NUMBER}${CARDINAL})[ -](?:most[ -])?${FAV}(?: ${NOUN_EN})?${END_EN}`,
  },
  {
    language: "en",
    form: "backward",
    knownOnly: true,
    source: `(?: (?:is|are)|'s) (?:now |actually |definitely |still )?my (?<rank>${NUMBER}${CARDINAL}) ${NOUN_EN}${END_EN}`,
  },
  {
    language: "en",
    form: "backward",
    source: `(?: (?:is|are)|'s) (?:now |actually |definitely |still )?my ${MODS_EN}${FAV} ${NOUN_EN}${END_EN}`,
  },
  {
    language: "de",
    form: "list",
    source: `${EDGE}${MEIN} ${MODS_DE}lieblings[ -]?(?<noun>${WORD_DE})${QUAL_DE}(?:${VERB_DE}|${LINK})`,
  },
  {
    language: "de",
    form: "list",
    source: `${EDGE}${MEIN} ${MODS_DE}liebsten (?<noun>${WORD_DE}(?: ${WORD_DE})?)${QUAL_DE}(?:${VERB_DE}|${LINK})`,
  },
  {
    language: "de",
    form: "list",
    knownOnly: true,
    source: `${EDGE}${MEIN} (?<count>${TOP})(?: (?:bei|der|bei den))? (?<noun>${WORD_DE})${QUAL_DE}(?:${VERB_DE}|${LINK})`,
  },
  {
    language: "de",
    form: "single",
    source: `${EDGE}${MEIN} (?<rank>${ORDINAL.de}|${NUMBER}${CARDINAL}) lieblings[ -]?(?<noun>${WORD_DE})(?:${VERB_DE}| ?: )`,
  },
  {
    language: "de",
    form: "single",
    source: `${EDGE}${MEIN} (?<rank>zweit|dritt|viert|funft|sechst|siebt|acht|neunt|zehnt)-?liebste[nrs]? (?<noun>${WORD_DE})(?:${VERB_DE}| ?: )`,
  },
  {
    language: "de",
    form: "backward",
    source: ` (?:ist|sind) (?:jetzt |ubrigens )?${MEIN} (?<rank>${ORDINAL.de}) lieblings[ -]?(?<noun>${WORD_DE})`,
  },
  {
    language: "de",
    form: "backward",
    source: ` (?:ist|sind) (?:jetzt |ubrigens )?${MEIN} (?<rank>zweit|dritt|viert|funft|sechst|siebt|acht|neunt|zehnt)-?liebste[nrs]? (?<noun>${WORD_DE})`,
  },
  {
    language: "de",
    form: "backward",
    source: ` (?:ist|sind) (?:jetzt |ubrigens )?${MEIN} ${MODS_DE}lieblings[ -]?(?<noun>${WORD_DE})`,
  },
  { language: "es", form: "list", source: `${EDGE}mis? ${COUNT}${NOUN_ES} ${FAV_ES}${QUAL_ES}(?:${VERB_ES}|${LINK})` },
  {
    language: "es",
    form: "list",
    knownOnly: true,
    source: `${EDGE}mi (?<count>${TOP}) (?:de )?(?<noun>${WORD_ES}(?: ${WORD_ES}){0,2})${QUAL_ES}(?:${VERB_ES}|${LINK})`,
  },
  { language: "es", form: "single", source: `${EDGE}mi (?<rank>${ORDINAL.es}) ${NOUN_ES} ${FAV_ES}(?:${VERB_ES}| ?: )` },
  { language: "es", form: "single", source: `${EDGE}mi ${NOUN_ES} ${FAV_ES} (?<rank>${NUMBER}${CARDINAL})(?:${VERB_ES}| ?: )` },
  { language: "es", form: "backward", source: ` (?:es|son) (?:ahora )?mi (?<rank>${ORDINAL.es}) ${NOUN_ES} ${FAV_ES}` },
  { language: "es", form: "backward", source: ` (?:es|son) (?:ahora )?mi ${NOUN_ES} ${FAV_ES}` },
  { language: "fr", form: "list", source: `${EDGE}m(?:es|on|a) ${COUNT}${NOUN_FR} ${FAV_FR}${QUAL_FR}(?:${VERB_FR}|${LINK})` },
  {
    language: "fr",
    form: "list",
    knownOnly: true,
    source: `${EDGE}mon (?<count>${TOP}) (?:des? |d')?(?<noun>${WORD_FR}(?: ${WORD_FR}){0,2})${QUAL_FR}(?:${VERB_FR}|${LINK})`,
  },
  { language: "fr", form: "single", source: `${EDGE}m(?:on|a) (?<rank>${ORDINAL.fr}) ${NOUN_FR} ${FAV_FR}(?:${VERB_FR}| ?: )` },
  {
    language: "fr",
    form: "single",
    source: `${EDGE}m(?:on|a) ${NOUN_FR} ${FAV_FR} (?<rank>${NUMBER}${CARDINAL})(?:${VERB_FR}| ?: )`,
  },
  {
    language: "fr",
    form: "backward",
    source: ` (?:est|sont) (?:maintenant )?m(?:on|a) (?<rank>${ORDINAL.fr}) ${NOUN_FR} ${FAV_FR}`,
  },
  { language: "fr", form: "backward", source: ` (?:est|sont) (?:maintenant )?m(?:on|a) ${NOUN_FR} ${FAV_FR}` },
  { language: "zh", form: "list", source: `我(?:个人)?最${LIKE_ZH}的${COUNT_ZH}(?<noun>${HAN}{1,8})${VERB_ZH}` },
  { language: "zh", form: "single", source: `我的?(?<rank>${ORDINAL.zh})${LIKE_ZH}的(?<noun>${HAN}{1,8})(?:现在)?是(?!不)` },
  {
    language: "zh",
    form: "single",
    source: `我最${LIKE_ZH}的(?<rank>${ORDINAL.zh})[个個种種部本]?(?<noun>${HAN}{1,8})(?:现在)?是(?!不)`,
  },
  { language: "zh", form: "backward", source: `是我的?(?<rank>${ORDINAL.zh})${LIKE_ZH}的(?<noun>${HAN}{1,8})` },
];
