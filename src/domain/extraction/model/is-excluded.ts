import { namesClass } from "#core/language/word-classes";
import { sensitivityOf } from "#core/safety/sensitivity";
import { analyse } from "#core/text/analyse";
import { fold } from "#core/text/normalize";

const SENTENCE_END = /[.!?;\n。！？；]+|,\s*(?=(?:but )?(?:never|do not|don't)\b)/u;
const LIST_MARK = /^(?:[-*•]|\d{1,2}[.)])\s*|^but /u;
const EXCEPTIONS = /(?<!\p{L})(?:except|unless|but only|außer|excepto|salvo|sauf)(?!\p{L}).*|除了.*/iu;

/** Sentences that exclude something, folded. What follows the match, or `what`, is excluded. */
const NEVER: readonly RegExp[] = [
  /^(?:please )?(?:(?:you )?(?:must|should|may) )?(?:never|not|do not|don't|dont)(?: ever)? (?:keep|store|save|remember|record|extract|note|retain|learn|memorise|memorize)(?= )/u,
  /^(?:keep|store|save|remember|record|extract|note|retain|learn) (?:nothing|no)(?= )/u,
  /^(?<what>.{1,200}?) (?:must|should|may|shall|is|are)(?: be)? (?:never|not)(?: to)?(?: be)? (?:kept|stored|saved|remembered|recorded)$/u,
  /^(?:bitte )?(?:speichere?|merke?|behalte?|notiere?)(?: dir)? (?:nie|niemals|nichts|keine?)(?= )/u,
  /^(?:bitte )?(?:nie|niemals|nichts|keine?) (?<what>.{1,200}?) (?:speichern|merken|behalten|notieren)$/u,
  /^(?<what>.{1,200}?) (?:nie|niemals|nicht) (?:speichern|merken|behalten|notieren)$/u,
  /^(?:por favor )?(?:nunca|no) (?:guardes?|guardar|almacenes?|recuerdes?|recordar|registres?)(?= )/u,
  /^(?:merci de )?ne (?:jamais |pas |rien )?(?:gardez?|garder|stockez?|stocker|retiens|retenez|retenir|enregistrez?|enregistrer)(?: jamais| pas| rien)?(?= )/u,
];
/** Nothing at all is to be kept. */
const NOTHING =
  /(?:^|[.!?;\n]\s{0,9})(?:please )?(?:(?:never|do not|don't) (?:keep|store|save|remember|record|extract) anything|(?:keep|store|save|remember|record|extract) nothing|speichere nichts|no guardes nada|ne gardez? rien)\s{0,9}(?:[.!;\n]|$)/u;
/** Sentences that ask for something, folded. */
const WANTED =
  /^(?:please |bitte |por favor |merci de )?(?:always |immer |siempre |toujours )?(?:keep|store|save|remember|record|extract|note|retain|learn|speichere?|merke?|behalte?|notiere?|guarda|guardar|recuerda|recordar|registra|garde[rz]?|retiens|retenez|retenir|enregistrez?|enregistrer)(?: dir)?(?: always| immer| siempre| toujours)?(?: all| everything| anything| alles| todo| tout)?(?: |$)|^(?:请)?(?:务必|一定要|总是)?(?:保存|记住|记录|保留)(?:所有|任何)?(?:关于|有关)?/u;
const NEVER_CHINESE = /^(?:请)?(?:不要|别|不得|禁止|切勿)(?:保存|记住|存储|记录|保留)(?:任何)?(?:关于|有关)?/u;
const CHINESE_TAIL = /的?(?:内容|信息|事情|东西|话题|资料)$/u;

const FILLER = new Set(
  analyse(
    "anything something what any all the a an their of on about regarding concerning related to that is data information info details detail things statements memories user users' " +
      "etwas alles über von zu den der die das daten angaben informationen nada sobre de del la el los las datos información jamais pas rien sur du des les le un une données informations",
  ),
);
const SEPARATOR = /,|、|，|\/|(?<!\p{L})(?:and|or|nor|und|oder|sowie|y|o|ni|et|ou)(?!\p{L})|和|或|及/u;

/** Topics that are known by more than their own name, folded. */
const HEALTH = new Set(
  "health medical medicine illness illnesses disease diseases gesundheit krankheit krankheiten medizin salud enfermedad enfermedades sante maladie maladies 健康 疾病 病情".split(
    " ",
  ),
);
const MONEY = new Set(
  "price prices cost costs money salary salaries income finance finances amounts preis preise kosten geld gehalt einkommen finanzen precio precios dinero sueldo salario ingresos prix argent salaire revenu revenus 价格 钱 工资 收入 金额".split(
    " ",
  ),
);
const AMOUNT =
  /[$€£¥]\s?\d|\d\s?(?:[$€£¥]|dollars?|euros?|pounds?|quid|bucks|pesos|francs?|franken|usd|eur|gbp|chf|万|千|块|元)|(?<!\p{L})(?:salary|salaries|wage|wages|income|price|prices|cost|costs|costed|paid|rent|mortgage|gehalt|miete|preis|preise|kostet|kosten|verdient|verdiene|sueldo|salario|precio|cuesta|alquiler|salaire|prix|loyer|coute)(?!\p{L})|工资|房租|价格|收入/u;

/**
 * Whether a tenant's `instructions` exclude this content from extraction. It reads their sentences of the form "never keep X", "do not store
 * X or Y", "X must not be stored" (also in German, Spanish, French and Chinese) and compares words: content that has all words of one X is
 * excluded. Health and money (prices, salaries) are known by more words than their own, and each excludes whatever is sensitive. It understands neither what X means beyond that
 * nor exceptions ("except …" is not read), so it excludes rather too much, and a topic that the content does not name is not excluded.
 */
export function isExcluded(content: string, instructions: string): boolean {
  if (instructions === "") return false;
  if (NOTHING.test(fold(instructions))) return true;
  const words = new Set(analyse(content));
  const folded = fold(content);
  return topicsIn(instructions, excludedPart).some((topic) => isAbout(topic, { folded, words }));
}

/**
 * Whether a tenant's `instructions` ask for this content ("always keep anything about shifts", "remember allergies"). Words are compared as
 * by `isExcluded`; what is excluded is never asked for.
 */
export function isRequested(content: string, instructions: string): boolean {
  if (instructions === "" || isExcluded(content, instructions)) return false;
  const words = new Set(analyse(content));
  const folded = fold(content);
  return topicsIn(instructions, requestedPart).some((topic) => isAbout(topic, { folded, words }));
}

function topicsIn(instructions: string, partOf: (sentence: string) => string | null): string[] {
  return instructions.split(SENTENCE_END).flatMap((sentence) => {
    const plain = fold(sentence.replace(/[’`]/gu, "'").replace(EXCEPTIONS, ""))
      .replace(/\s+/gu, " ")
      .trim()
      .replace(LIST_MARK, "");
    return (partOf(plain) ?? "")
      .split(SEPARATOR)
      .map(withoutFiller)
      .filter((topic) => topic !== "");
  });
}

function requestedPart(sentence: string): string | null {
  const found = excludedPart(sentence) === null ? WANTED.exec(sentence) : null;
  return found === null ? null : sentence.slice(found[0].length).replace(CHINESE_TAIL, "");
}

function excludedPart(sentence: string): string | null {
  const chinese = NEVER_CHINESE.exec(sentence);
  if (chinese !== null) return sentence.slice(chinese[0].length).replace(CHINESE_TAIL, "");
  for (const pattern of NEVER) {
    const found = pattern.exec(sentence);
    if (found !== null) return found.groups?.what ?? sentence.slice(found[0].length);
  }
  return null;
}

function withoutFiller(topic: string): string {
  return topic
    .trim()
    .split(/[\s:]+/u)
    .filter((word) => analyse(word).some((term) => !FILLER.has(term)))
    .join(" ");
}

function isAbout(topic: string, { folded, words }: { folded: string; words: ReadonlySet<string> }): boolean {
  const names = (topics: ReadonlySet<string>) => topic.split(" ").some((word) => topics.has(word));
  const isSensitive = () => sensitivityOf(folded) === "sensitive";
  if (names(HEALTH) && (namesClass(folded, "health") || isSensitive())) return true;
  if (names(MONEY) && (AMOUNT.test(folded) || isSensitive())) return true;
  const wanted = analyse(topic);
  return wanted.length > 0 && wanted.every((word) => words.has(word));
}
