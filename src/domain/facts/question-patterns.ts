import type { Language } from "./nouns.ts";
import { CARDINAL, ORDINAL } from "./ordinals.ts";
import {
  COUNT_ZH,
  FAV,
  FAV_ES,
  FAV_FR,
  HAN,
  LIKE_ZH,
  MEIN,
  NOUN_EN,
  NOUN_ES,
  NOUN_FR,
  NUMBER,
  TOP,
  WORD_DE,
  WORD_ES,
  WORD_FR,
} from "./phrases.ts";

/** `bare`: a question only with a question mark, or after words that ask. `singularVerb`: a singular noun does not ask for a list. */
export type QuestionPattern = {
  language: Language;
  ask: "rank" | "list";
  knownOnly?: true;
  bare?: true;
  singularVerb?: true;
  source: string;
};

const RANK_EN = `(?<rank>${ORDINAL.en}|${NUMBER}${CARDINAL}|top|last)`;
const NUMBERED_EN = `(?<rank>${NUMBER}${CARDINAL}|top)`;
const WHAT_EN =
  "(?:(?:what|which|who|wh?at|wut)(?:'?s| is| was|'re| are| were)?(?: again)? |name |give me |show me |tell me |remind me(?: of| about)? )(?:the name of )?";
const ARE_EN = "(?:(?:what|which)(?:'re| are| were)?(?: again)? (?:all (?:of )?)?)";
const VERB_EN =
  "(?:(?:list|show|show me|tell me|give me|name|display|print|recite|recall|repeat|read me|read out|remind me of|bring up|pull up|(?:let me|can i|could i|may i|i want to|i wanna|i'd like to) (?:see|get|have|hear))(?: me)?(?: again)? (?:all (?:of )?)?(?:(?:the |a )?(?:full |whole |complete |entire |ranked )?(?:list|ranking) of )?)";
const MINE_EN = `my (?:(?:all[- ]time|own|personal|current|absolute|full|whole|complete|entire|ranked|list of|ranking of|${TOP}|${CARDINAL}) ){0,3}`;
const ON_LIST = "(?: (?:on|in) (?:my|the) (?:list|ranking))";

const EN: readonly Omit<QuestionPattern, "language">[] = [
  { ask: "rank", source: `${WHAT_EN}my ${RANK_EN}[ -](?:most[ -])?${FAV} ${NOUN_EN}` },
  { ask: "rank", bare: true, source: `(?:my )?${RANK_EN}[ -](?:most[ -])?${FAV} ${NOUN_EN}` },
  { ask: "rank", knownOnly: true, source: `${WHAT_EN}my ${NUMBERED_EN} ${NOUN_EN}` },
  { ask: "rank", source: `${WHAT_EN}my ${FAV} ${NOUN_EN} (?<rank>${NUMBER}${CARDINAL})` },
  { ask: "rank", source: `(?:what|which) ${NOUN_EN} (?:is|was) my ${RANK_EN} ${FAV}` },
  {
    ask: "rank",
    knownOnly: true,
    source: `(?:what|which) ${NOUN_EN} (?:is|was) my (?<rank>${NUMBER}${CARDINAL})(?: choice| pick| one)?`,
  },
  { ask: "rank", knownOnly: true, source: `(?:what|which) ${NOUN_EN} (?:is|was) ${RANK_EN}${ON_LIST}` },
  {
    ask: "rank",
    source: `${WHAT_EN}(?:(?:at|in) )?(?:the )?${RANK_EN}(?: (?:one|item|entry|place|spot|(?<same>${NOUN_EN.replace("?<noun>", "?:")})))? (?:on|in|of|from|among) (?:(?:my|the) (?:list|ranking) of (?:my )?${FAV}|my ${FAV}) ${NOUN_EN}(?: list| ranking)?`,
  },
  { ask: "rank", knownOnly: true, source: `${WHAT_EN}(?:the )?${RANK_EN}(?: one)? (?:on|in) my ${NOUN_EN} (?:list|ranking)` },
  {
    ask: "rank",
    source: `(?:out )?of (?:all )?my ${FAV} ${NOUN_EN},? (?:what|which)(?: one)?(?:'s| is| was| comes)(?: in)?(?: the| my)? ${RANK_EN}(?: one)?`,
  },
  {
    ask: "rank",
    source: `(?:what|which)(?: one)? of my ${FAV} ${NOUN_EN} (?:is|was|comes)(?: in)?(?: the| my)? ${RANK_EN}(?: one)?`,
  },
  { ask: "list", source: `${ARE_EN}${MINE_EN}${FAV} (?:${CARDINAL} )?${NOUN_EN}(?: list)?` },
  { ask: "list", singularVerb: true, source: `(?:what'?s|what is) ${MINE_EN}${FAV} ${NOUN_EN}` },
  {
    ask: "list",
    source: `(?:what'?s|what is) (?:my (?:list|ranking) of ${FAV}|(?:the|my) (?:list|ranking) of my ${FAV}|my ${FAV}) ${NOUN_EN} ?(?<!of.{0,60})(?:list|ranking)`,
  },
  { ask: "list", source: `(?:what'?s|what is) (?:(?:the|my) (?:full |whole )?(?:list|ranking) of (?:my )?${FAV}) ${NOUN_EN}` },
  { ask: "list", singularVerb: true, source: `${VERB_EN}${MINE_EN}${FAV} (?:${CARDINAL} )?${NOUN_EN}(?: list)?` },
  { ask: "list", knownOnly: true, source: `(?:${VERB_EN}|${ARE_EN})my (?:all[- ]time )?${TOP} ${NOUN_EN}` },
  {
    ask: "list",
    knownOnly: true,
    source: `(?:${VERB_EN}|what'?s |what is )my (?:top |full |whole )?${NOUN_EN} (?:list|ranking|${TOP})`,
  },
  { ask: "list", source: `(?:what|which) ${NOUN_EN} (?:are|were) my ${FAV}` },
  {
    ask: "list",
    source: `(?:what'?s|what is) on my (?:(?:list|ranking) of (?:my )?${FAV} ${NOUN_EN}|${FAV} (?<noun2>${NOUN_EN.replace("?<noun>", "?:")}) (?:list|ranking))`,
  },
  { ask: "list", knownOnly: true, singularVerb: true, source: `(?:${VERB_EN}|${ARE_EN})my top ${NOUN_EN}` },
  { ask: "rank", bare: true, knownOnly: true, source: `my (?<rank>${NUMBER}${CARDINAL}) ${NOUN_EN}` },
  {
    ask: "rank",
    bare: true,
    source: `(?:the )?${RANK_EN}(?: one)? (?:on|in|of) (?:my (?:list|ranking) of (?:my )?${FAV}|my ${FAV}) ${NOUN_EN}(?: list| ranking)?`,
  },
  { ask: "list", knownOnly: true, source: `(?:what|which) ${NOUN_EN} do i (?:like|love|prefer)(?: the)? (?:best|most)` },
  {
    ask: "rank",
    knownOnly: true,
    source: `(?:what|which) ${NOUN_EN} do i (?:like|love|prefer)(?: the)? (?<rank>${ORDINAL.en})[ -](?:best|most)`,
  },
  { ask: "rank", bare: true, source: `my ${RANK_EN}[ -](?:most[ -])?${FAV} ${NOUN_EN} (?:is|was) what` },
  { ask: "list", bare: true, singularVerb: true, source: `${MINE_EN}${FAV} ${NOUN_EN}(?: list)?` },
];

const LAST_DE = "letzt(?:e[nrs]?)?";
const RANK_DE = `(?<rank>${ORDINAL.de}|${NUMBER}${CARDINAL}|${LAST_DE})`;
const WHAT_DE =
  "(?:(?:was|welche[rsn]?|wie|wer) (?:ist|war|heißt|hieß|lautet)(?: (?:nochmal|noch mal|noch|denn|eigentlich))? |sag(?:e)? mir |nenne? mir |zeige? mir |verrate? mir )";
const ARE_DE = "(?:(?:was|welche[s]?|wie) (?:sind|waren|lauten|heißen)(?: (?:nochmal|noch mal|denn|eigentlich))? )";
const VERB_DE =
  "(?:(?:liste|nenne?|zeige?|sage?|gib|zahle?|erinnere?)(?: mich an)?(?: mir)?(?: bitte)?(?: mal)? (?:die liste (?:mit |von )?)?)";
const MINE_DE = `(?:alle )?${MEIN} (?:(?:${TOP}|${CARDINAL}|ganzen?) )?`;
const LIEBST = "(?<rank>zweit|dritt|viert|funft|sechst|siebt|acht|neunt|zehnt)-?liebste[nrs]?";

const DE: readonly Omit<QuestionPattern, "language">[] = [
  { ask: "rank", source: `${WHAT_DE}${MEIN} ${RANK_DE} lieblings[ -]?(?<noun>${WORD_DE})` },
  { ask: "rank", source: `${WHAT_DE}${MEIN} ${LIEBST} (?<noun>${WORD_DE})` },
  { ask: "rank", source: `${WHAT_DE}${MEIN} lieblings[ -]?(?<noun>${WORD_DE}) (?<rank>${NUMBER}${CARDINAL})` },
  { ask: "rank", bare: true, source: `(?:was |wie )?${MEIN} ${RANK_DE} lieblings[ -]?(?<noun>${WORD_DE})` },
  { ask: "rank", bare: true, source: `(?:was |wie )?${MEIN} ${LIEBST} (?<noun>${WORD_DE})` },
  {
    ask: "rank",
    knownOnly: true,
    source: `(?:welche[rsn]?|was fur eine?) (?<noun>${WORD_DE}) (?:ist|war) ${MEIN} (?<rank>${NUMBER}${CARDINAL})`,
  },
  { ask: "rank", source: `(?:welche[rsn]?) (?<noun>${WORD_DE}) (?:ist|war) ${MEIN} ${LIEBST}` },
  { ask: "list", source: `${ARE_DE}${MINE_DE}(?:lieblings[ -]?|liebsten )(?<noun>${WORD_DE})` },
  { ask: "list", singularVerb: true, source: `${VERB_DE}${MINE_DE}(?:lieblings[ -]?|liebsten )(?<noun>${WORD_DE})(?: auf)?` },
  {
    ask: "list",
    bare: true,
    singularVerb: true,
    source: `(?:was |welche )?${MINE_DE}(?:lieblings[ -]?|liebsten )(?<noun>${WORD_DE})`,
  },
  { ask: "list", knownOnly: true, source: `(?:${VERB_DE}|${ARE_DE})${MEIN} ${TOP} (?<noun>${WORD_DE})(?: auf)?` },
];

const RANK_ES = `(?<rank>${ORDINAL.es}|ultim[oa])`;
const NUMBERED = `(?<rank>${NUMBER}${CARDINAL})`;
const WHAT_ES = "(?:(?:cual|que) (?:es|era|fue) |dime (?:cual es )?|recuerdame (?:cual es )?|nombra |dame )";
const VERB_ES =
  "(?:(?:(?:cuales|que) (?:son|eran) |(?:enumera|enumerame|lista|listame|muestra|muestrame|dime|dame|nombra|ensename|recuerdame|(?:quiero|quisiera|me gustaria) ver) )(?:cuales son )?(?:(?:la |una )?lista (?:completa )?(?:de|con) )?(?:todos |todas )?|(?:la )?lista de (?:todos |todas )?)";

const ES: readonly Omit<QuestionPattern, "language">[] = [
  { ask: "rank", source: `${WHAT_ES}mi ${RANK_ES} ${NOUN_ES} ${FAV_ES}` },
  { ask: "rank", source: `${WHAT_ES}mi ${NOUN_ES} ${FAV_ES} ${NUMBERED}` },
  { ask: "rank", bare: true, source: `mi ${RANK_ES} ${NOUN_ES} ${FAV_ES}(?:,? cual (?:es|era))?` },
  { ask: "rank", knownOnly: true, source: `(?:que|cual) (?<noun>${WORD_ES}) (?:es|era) mi ${NUMBERED}` },
  { ask: "rank", source: `(?:que|cual) (?<noun>${WORD_ES}) (?:es|era) mi ${RANK_ES} ${FAV_ES}` },
  { ask: "list", source: `${VERB_ES}mis (?:(?:${TOP}|${CARDINAL}) )?${NOUN_ES} ${FAV_ES}` },
  { ask: "list", source: `(?:que|cuales) ${NOUN_ES} (?:son|eran) mis ${FAV_ES}` },
  { ask: "list", bare: true, source: `mis (?:(?:${TOP}|${CARDINAL}) )?${NOUN_ES} ${FAV_ES}` },
];

const RANK_FR = `(?<rank>${ORDINAL.fr}|derni(?:er|ere))`;
const WHAT_FR =
  "(?:quel(?:le)? (?:est|etait)(?: deja)? |c'(?:est|etait) quoi(?: deja)? |dis-moi (?:quel(?:le)? est )?|donne-moi |rappelle-moi (?:quel(?:le)? est )?)";
const VERB_FR =
  "(?:(?:quel(?:le)?s (?:sont|etaient)|c'(?:est|etait) quoi|liste|liste-moi|enumere|montre-moi|montre|donne-moi|dis-moi|cite|cite-moi|rappelle-moi|(?:je veux|je voudrais|j'aimerais) voir) (?:deja )?(?:(?:la |une )?liste (?:complete )?de )?(?:tou(?:te)?s )?|(?:la )?liste de (?:tou(?:te)?s )?)";

const FR: readonly Omit<QuestionPattern, "language">[] = [
  { ask: "rank", source: `${WHAT_FR}m(?:on|a) ${RANK_FR} ${NOUN_FR} ${FAV_FR}` },
  { ask: "rank", source: `${WHAT_FR}m(?:on|a) ${NOUN_FR} ${FAV_FR} ${NUMBERED}` },
  {
    ask: "rank",
    bare: true,
    source: `m(?:on|a) ${RANK_FR} ${NOUN_FR} ${FAV_FR}(?:,? (?:c'(?:est|etait) (?:quoi|laquelle|lequel)))?`,
  },
  { ask: "rank", knownOnly: true, source: `quel(?:le)? (?<noun>${WORD_FR}) (?:est|etait) mon ${NUMBERED}` },
  { ask: "list", source: `${VERB_FR}mes (?:(?:${TOP}|${CARDINAL}) )?${NOUN_FR} ${FAV_FR}` },
  { ask: "list", source: `quel(?:le)?s ${NOUN_FR} (?:sont|etaient) mes ${FAV_FR}` },
  { ask: "list", bare: true, source: `mes (?:(?:${TOP}|${CARDINAL}) )?${NOUN_FR} ${FAV_FR}` },
];

const RANK_ZH = `(?<rank>${ORDINAL.zh}|最后一?|最後一?)`;
const NOUN_ZH = `(?<noun>${HAN}{1,8})`;
const WHAT_ZH = "(?:是(?:(?:什么|什麼)(?:颜色|顏色)?|哪(?:一?[个個部种種本款])?|啥|谁|誰)(?:来着)?|叫什么(?:来着)?)";
const WHICH_ZH = "(?:有哪些|是哪些|都?有什么|都有哪些|都是什么|都是哪些|分别是什么|分別是什麼|是哪几[个種种部]|列表)";

const ZH: readonly Omit<QuestionPattern, "language">[] = [
  { ask: "rank", source: `(?:告诉我|告訴我)?我的?${RANK_ZH}${LIKE_ZH}的${NOUN_ZH}${WHAT_ZH}` },
  { ask: "rank", source: `(?:告诉我|告訴我)?我最${LIKE_ZH}的${RANK_ZH}[个個种種部本]?${NOUN_ZH}${WHAT_ZH}` },
  { ask: "rank", bare: true, source: `(?:告诉我|告訴我)?我的?${RANK_ZH}${LIKE_ZH}的${NOUN_ZH}` },
  { ask: "rank", knownOnly: true, source: `哪一?[个個种種部本]${NOUN_ZH}是我的?${RANK_ZH}(?:名|位|${LIKE_ZH}的)` },
  { ask: "list", source: `我最${LIKE_ZH}的${COUNT_ZH}${NOUN_ZH}${WHICH_ZH}` },
  { ask: "list", source: `我最${LIKE_ZH}的前?(?:\\d{1,2}|[二三四五六七八九十两兩几幾])[种種个個部本款]${NOUN_ZH}${WHAT_ZH}` },
  {
    ask: "list",
    source: `(?:给我|帮我|幫我)?(?:列出|列一下|告诉我|告訴我|说说|展示|显示|顯示)(?:我)?(?:所有)?(?:我)?(?:所有)?最${LIKE_ZH}的(?:所有)?${COUNT_ZH}${NOUN_ZH}`,
  },
];

const of = (language: Language, patterns: readonly Omit<QuestionPattern, "language">[]) =>
  patterns.map((pattern) => ({ ...pattern, language }));

export const QUESTION_PATTERNS: readonly QuestionPattern[] = [
  ...of("en", EN),
  ...of("de", DE),
  ...of("es", ES),
  ...of("fr", FR),
  ...of("zh", ZH),
];

/** Follow-up questions without a topic ("and the second one?"). `bare` ones count only as questions. */
export const FOLLOW_UPS: readonly Omit<QuestionPattern, "language">[] = [
  {
    ask: "rank",
    source: `(?:and|what about|how about|and what about|and how about|what was|what is|what'?s|which (?:one )?(?:is|was)) (?:the ${RANK_EN}|(?<rank>${NUMBER}${CARDINAL}))(?: one)?`,
  },
  {
    ask: "rank",
    source: `(?:and|what about|how about|what is|what'?s|what was|and what(?:'s| is)) my ${RANK_EN}(?: ${FAV})(?: one)?`,
  },
  { ask: "rank", bare: true, source: `(?:and )?(?:what about )?(?:my|the) ${RANK_EN}(?: ${FAV})?(?: one)?` },
  { ask: "rank", bare: true, source: `(?:(?<rank>${NUMBER}${CARDINAL}|\\d{1,2}(?:st|nd|rd|th))|${RANK_EN} one)` },
  { ask: "list", source: "(?:list|show|show me|give me|tell me) (?:them|'?em|the (?:whole|full|entire|complete) list)(?: all)?" },
  { ask: "list", bare: true, source: "(?:what'?s |what is )?the (?:whole|full|entire|complete) list" },
  { ask: "rank", source: `(?:und|was (?:ist|war)|welche[rs]? (?:ist|war)) (?:der|die|das|${MEIN}) ${RANK_DE}` },
  { ask: "rank", bare: true, source: `(?:der|die|das) ${RANK_DE}` },
  { ask: "list", source: "(?:liste|zahl) sie(?: alle)? auf|zeig (?:sie mir|mir die ganze liste)" },
  { ask: "rank", source: `(?:y|cual (?:es|era|fue)|y cual (?:es|era)) (?:el|la) ${RANK_ES}` },
  { ask: "rank", bare: true, source: `(?:el|la) ${RANK_ES}` },
  { ask: "list", source: "(?:enumera|lista|muestrame|dime)l[oa]s(?: todos| todas)?" },
  { ask: "rank", source: `(?:et|c'(?:est|etait) quoi|quel(?:le)? (?:est|etait)) (?:le|la) ${RANK_FR}` },
  { ask: "rank", bare: true, source: `(?:le|la) ${RANK_FR}` },
  { ask: "list", source: "(?:liste|enumere)-les(?:-moi)?|montre-les-moi" },
  { ask: "rank", source: `(?:那|那么)?${RANK_ZH}[个個名位]?(?:呢|${WHAT_ZH})` },
  { ask: "list", source: "(?:把)?(?:它们|他们)?(?:都|全部)?列出来" },
];
