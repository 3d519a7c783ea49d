import type { MemoryType } from "#domain/memories";

/** Words that override a model's instructions, anywhere in the text. */
const OVERRIDES = [
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instruction|prompt|rule|guideline|previous|prior|above|earlier|safety|restriction)/iu,
  /\b(?:system|developer)\s{1,8}(?:prompt|message|instruction)/iu,
  /\b(?:reveal|disclose|leak|print|repeat|output|show)\b.{0,40}\b(?:prompts?|instructions?|secrets?|passwords?|api keys?|credentials?|(?:all|every|other)\b.{0,20}memor)/iu,
  /\b(?:jailbreak|developer mode|prompt injection)\b/iu,
  /\byou are (?:now|no longer)\b/iu,
  /(?:ignorier|missacht|vergiss)\p{L}{0,12}(?!\p{L}).{0,40}\b(?:anweisung|regel|vorherig|bisherig)/iu,
  /\b(?:ignora|olvida)\p{L}{0,12}(?!\p{L}).{0,40}\b(?:instruccion|regla|anterior|previ)/iu,
  /\b(?:ignore|oublie)\p{L}{0,12}(?!\p{L}).{0,40}(?:instruction|consigne|règle|précédent)/iu,
  /(?:忽略|无视|無視|忘记|忘記).{0,20}(?:指令|指示|规则|規則|提示|之前)/u,
  /(?:指示|命令|ルール).{0,10}(?:無視|忘れ)/u,
];

/** Verbs that instruct a model against its users. */
const STEER =
  "(?:recommend|promote|advertise|endorse|praise|mention|suggest|pretend|obey|comply|reveal|disclose|hide|conceal|warn|lie|approve|grant|trust|act as|respond with|answer with|reply with|say that|tell (?:the )?users?)";
/** Verbs that are instructions to a model only with "always", "never" or the like. */
const SPEAK =
  "(?:answer|reply|respond|say|write|speak|use|treat|assume|call|add|include|insert|end|begin|start|send|refuse|link)";
const BEGIN = "(?:^|[.!?;:]\\s{1,8}|\\n\\s{0,8})(?:please\\s{1,8})?";
const MODEL = "(?:the\\s{1,8})?(?:assistant|ai|a\\.i\\.|language model|model|chatbot|llm|edgewise)";

const ORDERS = [
  `${BEGIN}(?:${MODEL}[,:]?\\s{1,8})?${STEER}\\b`,
  `${BEGIN}(?:always|never|only|from now on,?|do not|don't|make sure (?:to|you)|be sure to|whenever .{1,60}?,|when .{1,60}?,)\\s{1,8}(?:always\\s{1,8}|never\\s{1,8})?(?:${STEER}|${SPEAK})\\b`,
  `(?:\\b${MODEL}|${BEGIN}you)\\s{1,8}(?:must|should|shall|has to|have to|needs? to|is to|are to|always|never)\\b`,
  `\\b${MODEL}\\s{1,8}(?:to|not to)\\s{1,8}(?:always\\s{1,8}|never\\s{1,8}|not\\s{1,8}|only\\s{1,8})?(?:${STEER}|ignore|send|delete)\\b`,
  "\\bfrom now on\\b",
].map((source) => new RegExp(source, "iu"));

const ORDERS_ELSEWHERE = [
  /\b(?:empfiehl|empfehle|erwähne|verrate|antworte|sage?)\s{1,8}(?:immer|nie|niemals|stets|allen|jedem)\b/iu,
  /(?:^|[.!?]\s{1,8})(?:immer|niemals|stets)\s{1,8}.{0,60}\b(?:empfehlen|antworten|erwähnen|verraten)\b/iu,
  /\b(?:recomienda|menciona|responde|revela|di)\s{1,8}siempre\b|\bsiempre\s{1,8}(?:recomienda|responde|menciona)\b/iu,
  /\b(?:recommande|mentionne|réponds|révèle|dis)\s{1,8}toujours\b/iu,
  /(?:总是|始终|必须|永远|總是|始終)(?:推荐|推薦|回答|回复|提到)/u,
];

/** Imperatives that are fine in a task or an event, which people word as orders to themselves. */
const DEED = new RegExp(`${BEGIN}(?:send|forward|e-?mail|transfer|delete|grant|share)\\s`, "iu");

/** Whether a text tries to override a model's instructions or to have its secrets disclosed. */
export function overridesModel(content: string): boolean {
  return OVERRIDES.some((pattern) => pattern.test(content));
}

/** Whether a memory is an instruction to a model, which a model that reads the memory later would follow. */
export function isInstruction({ type, content }: { type: MemoryType | null; content: string }): boolean {
  if (overridesModel(content) || [...ORDERS, ...ORDERS_ELSEWHERE].some((pattern) => pattern.test(content))) return true;
  return type !== "task" && type !== "event" && DEED.test(content);
}
