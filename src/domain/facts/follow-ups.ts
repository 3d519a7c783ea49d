import { CARDINAL } from "./ordinals.ts";
import { FAV, MEIN, NUMBER } from "./phrases.ts";
import { type QuestionPattern, RANK_DE, RANK_EN, RANK_ES, RANK_FR, RANK_ZH, WHAT_ZH } from "./question-patterns.ts";

/** Follow-ups without a topic, which can mean nothing else. `bare` ones only as questions. */
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
