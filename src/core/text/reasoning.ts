/** The reasoning that some servers leave in front of a model's answer. The closing tag is missing where the answer was cut. */
const REASONING = /^\s*<think(?:ing)?>([\s\S]*?)(?:<\/think(?:ing)?>|$)/i;

/**
 * A reply's text, and the reasoning that it begins with, if any. Servers whose template opens the reasoning (Qwen3 and DeepSeek R1 behind
 * vLLM, llama.cpp and others) send only its closing tag. A text that mentions the tag, in code, in quotes or within a sentence, is kept
 * whole.
 */
export function separateReasoning(reply: string): { reasoning: string; text: string } {
  const found = REASONING.exec(reply);
  if (found !== null) return { reasoning: found[1] ?? "", text: reply.slice(found[0].length) };
  const close = closingTagOf(reply);
  return close === null
    ? { reasoning: "", text: reply }
    : { reasoning: reply.slice(0, close.start), text: reply.slice(close.end) };
}

/** What an assistant's message says, without the reasoning that it begins with. */
export function withoutReasoning(text: string): string {
  const separated = separateReasoning(text);
  return separated.text === text ? text : separated.text.trim();
}

const TAG = /<\/?think(?:ing)?>/gi;
const FENCE = /^\s*(?:```|~~~)/;
/** Data, of which a tag may be a part. Reasoning begins with words. */
const JSON_START = /^\s*(?:\{|\[\s*["[{])/;

/** The tag that ends reasoning whose opening tag is missing; null for none. */
function closingTagOf(reply: string): { start: number; end: number } | null {
  const [first] = reply.matchAll(TAG);
  if (first === undefined || !first[0].startsWith("</") || JSON_START.test(reply)) return null;
  let isCode = false;
  let lineStart = 0;
  for (const line of reply.split("\n")) {
    if (FENCE.test(line)) isCode = !isCode;
    else if (!isCode) {
      const inLine = closingTagIn(line.trimEnd());
      if (inLine !== null) return { start: lineStart + inLine.start, end: lineStart + inLine.end };
    }
    lineStart += line.length + 1;
  }
  return null;
}

function closingTagIn(line: string): { start: number; end: number } | null {
  let backticks = 0;
  let counted = 0;
  for (const { 0: tag, index: start } of line.matchAll(TAG)) {
    const end = start + tag.length;
    for (; counted < start; counted += 1) if (line[counted] === "`") backticks += 1;
    const isMarker =
      ENDS_REASONING.test(line.slice(Math.max(0, start - LOOK_BACK), start)) && BEGINS_ANSWER.test(line.slice(end, end + 1));
    if (isMarker && backticks % 2 === 0) return { start, end };
  }
  return null;
}

const LOOK_BACK = 4;
/** Before the tag: the beginning of the line, or words that touch it. Four blanks make code. */
const ENDS_REASONING = /(?:^ {0,3}|[^\s"'`“”‘’«„([{<])$/u;
/** After the tag: the end of the line, or an answer that touches it. A mention goes on after a blank, a quote or a mark. */
const BEGINS_ANSWER = /^(?:$|[^\s"'`“”‘’»,.;:!?)\]}])/u;
