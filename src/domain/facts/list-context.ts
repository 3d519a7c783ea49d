import { SENTENCE_END } from "./clean-value.ts";

const LEAD = 300;
const BOUNDARY = /[.!?](?=[\s"])|[\n。！？；;\ufffc]/gu;
/** Words that begin another clause, to which earlier words no longer apply. */
const NEW_CLAUSE =
  /^.*(?<![\p{L}'])(?:but|so|anyway|anyways|aber|pero|mais|jedenfalls|en todo caso)(?![\p{L}'])|^.*(?:但是|但|不过|反正)/su;
const HARMLESS =
  /(?<!\p{L})(?:not gonna lie|if you ask me|if you (?:really )?(?:must|want to|wanna) know|in case you \p{L}+|(?:since |as )?you (?:asked|wanted to know)|no lie|i (?:\w+ )?(?:said|told (?:you|u|ya)|mentioned|wrote)|as i said|like i said|idk|i don't know|don't forget|not sure i told you|why not|ich (?:\w+ )?(?:sagte|sagt)|(?:ya )?te dije|j'ai dit|je t'ai dit|我(?:说|觉得|认为|想)(?:过)?)/gu;
const HYPOTHESIS =
  /(?<![\p{L}'])(?:if|suppose|supposing|imagine|pretend|assume|assuming|let'?s say|say|hypothetically|would|wish|unless|whether|wenn|falls|angenommen|stell dir vor|nehmen wir an|ob|imagina|imaginemos|supongamos|supon|suponiendo|ojala|imagine[rz]?|imaginons|supposons|suppose[rz]?|admettons)(?![\p{L}'])|(?<![\p{L}'])si(?![\p{L}',])|如果|假如|假设|假設|要是|假装|想象|若/u;
const HEARSAY =
  /(?<![\p{L}'])(?:said|says|saying|tells|told|asked|wrote|writes|claims?|claimed|thinks|believes|replied|answered|reads|according to|quote|lines?|caption|lyrics?|character|protagonist|(?:you|they|people|he|she|we) (?:think|say|know|guess|believe)|sagte|sagt|sagen|meinte|meint|behauptet|schrieb|glaubt|laut|dijo|dice|dicen|escribio|cree|segun|a dit|dit que|dit|ecrit|pense que|selon|d'apres)(?![\p{L}'])|说|說|写道|认为|据/u;
const DENIAL =
  /(?<![\p{L}'])(?:don't|do not|doesn't|never|not|no longer|isn't|aren't|ain't|wasn't|weren't|can't say|forget|false|untrue|incorrect|a lie|won't|neither|nor|least|nicht|nie|kein\w*|no|nunca|jamas|ne|pas|jamais)(?![\p{L}'])|不|并非|没/u;
const REQUEST =
  /(?:^|please |can you |could you |would you |and |, |bitte )(?:is it|was it|isn't it|does|translate|rewrite|rephrase|paraphrase|proofread|correct|fix|improve|summari[sz]e|write|compose|generate|create|make|analy[sz]e|for example|e\.g|example|for instance|you could|template|fill in|respond|reply|repeat|roleplay|act as|uebersetze|ubersetze|korrigiere|schreib\w*|zum beispiel|beispiel|traduce|traduzca|corrige|escribe|por ejemplo|ejemplo|traduis|traduisez|corrigez?|ecris|ecrivez|par exemple|exemple)(?!\p{L})|翻译|翻譯|改写|写一|例如|比如|例句/u;
const ASKED_FOR =
  /(?<!\p{L})(?:list|show|show me|tell me|tell you|name|give me|guess|guess what|rank|sort|order|repeat|what(?: are|'s| is)?|whats|which are|(?<!(?:these|those|here|this|below|following) )(?:are|is)|were|was|do you know|sind|ist|waren|war|nenne?|zeig mir|liste|son|es|eran?|dime|lista|est-ce que|sont|quelles sont|liste|donne-moi|列出|告诉我) ?$/u;
const PAST =
  /(?<![\p{L}'])(?:used to|back then|as a (?:kid|child|teen\w*)|when i was|growing up|in my childhood|previously|formerly|fruher|damals|als kind|antes|de nino|de nina|cuando era|de pequen[oa]|avant|autrefois|quand j'etais|petit[e]?|enfant)(?![\p{L}'])|以前|小时候|曾经|过去/u;
const STAGED =
  /(?<![\p{L}'])(?:imagine|pretend|suppose|role-?play|hypothetical(?:ly)?|translate|proofread|rewrite|rephrase|paraphrase|correct this|fix the grammar|act as|you are|stell dir vor|angenommen|ubersetze|imagina|supongamos|traduce|imagine|supposons|traduis)(?![\p{L}'])|假设|想象|翻译/u;
/** A name before a colon: a pasted transcript. */
const SPEAKER =
  /^(?:[-*•] |\[[^\]]{0,30}\] ?|\d[\d:. ]{0,12} ?)?(?!(?:Ok|Okay|FYI|PS|P\.S\.|Note|Update|Edit|Answer|Reminder|Remember|Fact|Fun Fact|Fun fact|Also|Anyway|Btw|So|Me|Well|Hey|Hi|Info|Übrigens|Nota|Hola|Favorites)\b)\p{Lu}[\p{L}.'-]{0,30}(?: \p{Lu}[\p{L}.'-]{0,30})? ?: ?$/u;
/** A list of somebody else, or of a role-play. */
const ANOTHERS =
  /(?<![\p{L}'])(?:(?:(?!(?:here|it|that|there|what|who|let|today|now|everyone|everybody)')[\p{L}]+(?:'s|s')|his|her|their) (?:\w+ ){0,2}(?:list|answers?|ranking|top|order|reply|message|text|post|profile|bio|version|turn|words)|(?:list|answer|ranking|message|text|reply) (?:of|from|by) (?!mine)(?:my|a|his|her|their|the)? ?\w|(?:liste|antwort|rangliste|nachricht) (?:von|meine[rs]|seine[rs]|ihre[rs]|eine[rs]) |(?:lista|respuesta|mensaje) de (?!mis? (?:favorit|prefer))|(?:liste|reponse|message) d(?:e |')(?!mes))[^.!?]*$|(?<![\p{L}'])(?:my|his|her|our|a|the|mein[er]*|meine[rn]?|mi|mon|ma) (?:best |little |big |older |younger )?(?:friend|buddy|sister|brother|mother|mom|mum|dad|father|wife|husband|partner|girlfriend|boyfriend|son|daughter|colleague|coworker|boss|roommate|neighbou?r|teacher|kid|child|cousin|aunt|uncle|grandma|grandpa|classmate|freund|freundin|bruder|schwester|mutter|vater|frau|mann|kollege|kollegin|amigo|amiga|hermano|hermana|madre|padre|ami|amie|frere|soeur|mere|pere) ?: ?$|(?:朋友|妈妈|爸爸|姐姐|妹妹|哥哥|弟弟|老师|同事|他|她)的(?:清单|列表|排名|答案|名单)/u;
const PLAYED =
  /(?<![\p{L}'])(?:role-?play|rollenspiel|juego de rol|jeu de role|(?:for|in) (?:the|this|our|my) (?:story|novel|game|scene|script|campaign|skit)|my (?:character|persona)|in character|character sheet|rp ?:)(?!\p{L})|角色扮演/u;
const HEADER = /^(?:from|von|de|subject|betreff) ?: /u;
const TAKEN_BACK =
  /^[\s"'.!,()]*(?:just kidding|jk|jokes?|kidding|not!|nope|scratch that|lol jk|nur spass|scherz|es broma|mentira|je (?:plaisante|rigole)|开玩笑|骗你的)(?!\p{L})/u;
const ATTRIBUTED = /^[\s"',.!]*(?:said|says|wrote|sagte|dijo|a dit|说)(?!\p{L})/u;

/** Whether the words at `at` are the speaker's own, present and plain statement, judged by the words before them. */
export function isOwnStatement(text: string, { normalizedText, at }: { normalizedText: string; at: number }): boolean {
  const { lead, before } = leadOf(normalizedText, at);
  if (SPEAKER.test(text.slice(at - lead.length, at)) || HEADER.test(before)) return false;
  const clause = lead.replace(NEW_CLAUSE, "").replace(HARMLESS, " ");
  if ([HYPOTHESIS, HEARSAY, DENIAL, PAST].some((pattern) => pattern.test(clause))) return false;
  if ([REQUEST, ASKED_FOR, ANOTHERS, PLAYED].some((pattern) => pattern.test(lead))) return false;
  return !STAGED.test(before) && !(/:\s*$/.test(before) && (HEARSAY.test(before.replace(HARMLESS, " ")) || REQUEST.test(before)));
}

/** Whether the words after a list take it back or attribute it to somebody else. */
export function isTakenBack(normalizedText: string, from: number): boolean {
  const rest = normalizedText.slice(from, from + 100);
  return TAKEN_BACK.test(rest) || ATTRIBUTED.test(rest);
}

/** Whether the sentence in which a list ends is a question. */
export function isAsked(text: string, from: number): boolean {
  const rest = text.slice(from, from + 200);
  const end = /\n/.exec(rest)?.index ?? rest.length;
  const stop = SENTENCE_END.exec(rest.slice(0, end));
  return stop === null
    ? /[?？吗嗎]\s*$/.test(rest.slice(0, end))
    : /[?？]/.test(stop[0]) || /[吗嗎]\s*$/.test(rest.slice(0, stop.index));
}

/** The rest of the sentence before `at`, and the sentence before that. */
function leadOf(normalizedText: string, at: number): { lead: string; before: string } {
  const window = normalizedText.slice(Math.max(0, at - LEAD), at);
  const ends = [...window.matchAll(BOUNDARY)].map(({ index }) => index + 1);
  const last = ends.at(-1) ?? 0;
  const lead = window.slice(last).trimStart();
  const earlier = ends.findLast((end) => window.slice(end, last).trim().length > 1) ?? 0;
  return { lead, before: window.slice(earlier, last) };
}
