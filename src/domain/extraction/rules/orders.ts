import { anyScript } from "#core/language/patterns";
import type { TakenMemory } from "./rule.ts";

/** What a "remember that …" would make a model say to others. */
const PROMPTING =
  "(?:recommend|promote|advertise|endorse|praise|suggest|mention|push|sell|plug|answer|reply|respond|say|claim|pretend|insist|obey|comply|reveal|disclose|leak|hide|conceal|lie|approve|warn|favou?r|link)";
const BOUND = "(?:should|must|shall|always|never|only|has to|have to|need to|needs to|ought to|are to|is to|will)";
const ORDERS = [
  `(?<![\\p{L}0-9])(?<!(?:^| )i )${BOUND} (?:[\\p{L}']+ ){0,3}?${PROMPTING}\\b`,
  "\\b(?:when|whenever|if|anytime|every time) (?:any|some|every)(?:one|body) (?:asks|asked|mentions|says|wants|needs|inquires)\\b",
  "\\b(?:immer|stets|niemals|nie|nur|sollen?|sollten?|müssen|muss) (?:[\\p{L}']+ ){0,6}?(?:empfehlen|empfiehlt|empfehle|bewerben|antworten|erwähnen|verraten|behaupten)\\b",
  "\\b(?:siempre|nunca|solo|debemos|deben|debe|hay que) (?:[\\p{L}']+ ){0,3}?(?:recom[ie]{1,2}nd|promocion|mencion|respond|revel|suger|sugier)[\\p{L}]*",
  "\\b(?:toujours|jamais|doit|doivent|devons|faut) (?:[\\p{L}']+ ){0,3}?(?:recommand|promouvoir|mentionn|répond|révél|sugg[eé]r|conseill)[\\p{L}]*",
  "(?:recommand[\\p{L}]{0,12}|recom[ie]{1,2}nd[\\p{L}]{0,12}) (?:toujours|siempre|jamais|nunca)\\b",
  "(?:总是|始终|必须|永远|应该|一定要|都要|只能).{0,8}(?:推荐|宣传|回答|回复|提到|建议)",
].map((source) => new RegExp(anyScript(source), "i"));

/** Whether "remember that …" is followed by an instruction to the assistant, which a model that reads the memory would follow. */
export function isOrder({ category, content }: Pick<TakenMemory, "category" | "content">): boolean {
  return category === "remember" && ORDERS.some((order) => order.test(content));
}

/** "I love it when you explain things": about the assistant, unlike "when you can hear the rain". */
const OF_LISTENER =
  /\bwhen you(?:'re| are)? (?:(?:just |always |actually |really )*)(?:talk|explain (?:things|stuff|it|everything)|tell|help|call|sound|act|speak|reply|respond|put|joke|know|show|refuse|apologi[sz]e|repeat|roast|flirt|rhyme|agree|disagree|hallucinate|say|pretend|quote)(?:ing)?\b/i;

export function isOfListener({ category, content }: Pick<TakenMemory, "category" | "content">): boolean {
  return category === "preference" && OF_LISTENER.test(content);
}
