/** A text, and the reasoning that it begins with; "" for none. */
type Separated = { reasoning: string; text: string };

/** The text of a reply to a question of our own. One that breaks off while it reasons has none. */
export function separateReasoning(reply: string): Separated {
  return separated(reply, () => true);
}

/** What a chat's reply says, without its reasoning. A reply may break off while it reasons: then a line break follows the opening tag. */
export function replyWithoutReasoning(reply: string): string {
  return trimmed(
    separated(reply, (opened) => LINE_BREAK.test(opened)),
    reply,
  );
}

/** What an assistant's message says, without its reasoning. Nobody knows of it that it broke off, so reasoning counts where it ends. */
export function withoutReasoning(text: string): string {
  return trimmed(
    separated(text, () => false),
    text,
  );
}

/** A text without reasoning is not changed. */
function trimmed({ text }: Separated, whole: string): string {
  return text === whole ? whole : text.trim();
}

const OPENING = /^\s*<think(?:ing)?>/i;
const TAG = /<\/?think(?:ing)?>/gi;
const LINE_BREAK = /^[^\S\n]*\n/;
const BLANK_LINE = /^[^\S\n]*\n[^\S\n]*\n/;
const FENCE = /^\s*(?:```|~~~)/;
/** Data, of which a tag may be a part. Reasoning begins with words. */
const JSON_START = /^\s*(?:\{|\[\s*["[{])/;

/**
 * What is left out is lost, so a text that may only mention a tag is kept whole. Reasoning begins with an opening tag and ends with the
 * first closing one; an opening tag with words on its line may be a mention. Servers whose template opens the reasoning (Qwen3 and
 * DeepSeek R1 behind vLLM, llama.cpp and others) send only its end.
 */
function separated(text: string, isCutOff: (opened: string) => boolean): Separated {
  const opening = OPENING.exec(text)?.[0] ?? "";
  const rest = text.slice(opening.length);
  const { first, second, closing } = tagsIn(rest);
  const whole = { reasoning: "", text };
  if (closing === undefined) return opening !== "" && isCutOff(rest) ? { reasoning: rest, text: "" } : whole;
  const parts = { reasoning: rest.slice(0, closing.index), text: rest.slice(closing.index + closing[0].length) };
  if (opening !== "") {
    return LINE_BREAK.test(rest) || (closing === first && !isMention(parts)) ? parts : whole;
  }
  const isOnly = closing === first && second === undefined;
  return isOnly && !JSON_START.test(text) && isEndAlone(parts) ? parts : whole;
}

function tagsIn(text: string) {
  const tags = [...text.matchAll(TAG)];
  return { first: tags[0], second: tags[1], closing: tags.find(([tag]) => tag.startsWith("</")) };
}

/** Whether two tags, the first with words on its line, are parts of sentences. */
function isMention({ reasoning, text }: Separated): boolean {
  const leadsTo = /[^\S\n]$/.test(reasoning) && IS_UNFINISHED.test(lastOf(reasoning));
  return GOES_ON.test(reasoning) || leadsTo || GOES_ON.test(text) || endsInCode(reasoning);
}

/** Behind a tag: the sentence that mentions it goes on. */
const GOES_ON = /^(?:["'`“”‘’»]|[^\S\n]*[,.;:!?)\]}–—]|[^\S\n]+[\p{Ll}\p{Lo}])/u;

/**
 * Whether a closing tag without an opening one ends reasoning: after a whole sentence, or nothing, it is at the end of a line or on its own,
 * with a blank line and then an answer behind it; or an answer touches it. So those servers send it.
 */
function isEndAlone({ reasoning, text }: Separated): boolean {
  const line = reasoning.slice(reasoning.lastIndexOf("\n") + 1);
  const isPlaced = /^ {0,3}$/.test(line) || /^\s{0,3}[^\s>].*\S$/u.test(line);
  const isFollowed = BLANK_LINE.test(text) || TOUCHES.test(text);
  const isQuoted = ['"', "`"].some((mark) => line.split(mark).length % 2 === 0);
  return (
    isPlaced && isFollowed && !isQuoted && text.trim() !== "" && !IS_UNFINISHED.test(lastOf(reasoning)) && !endsInCode(reasoning)
  );
}

/** An answer that touches the tag. A mention goes on with a blank, a quote or a mark. */
const TOUCHES = /^[^\s"'`“”‘’»,.;:!?)\]}]/u;
/** A sentence that ends in a letter, a quoted word, or a mark that opens something, goes on behind the tag. */
const IS_UNFINISHED = /(?:[\p{L}\p{M},;:“‘«„([{<–—-]|(?<![.!?…。！？])["'”’»])$/u;

/** The last characters that are no blanks. */
function lastOf(text: string): string {
  return text.trimEnd().slice(-2);
}

/** Whether a code fence is open at the end of a text. */
function endsInCode(text: string): boolean {
  let isCode = false;
  for (const line of text.split("\n")) if (FENCE.test(line)) isCode = !isCode;
  return isCode;
}
