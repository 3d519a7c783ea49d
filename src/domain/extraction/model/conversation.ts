import { withoutMemory } from "#core/text/memory-fence";
import { nameKey } from "#core/text/normalize";
import type { ModelAsk, TranscriptMessage } from "./types.ts";

/** A message without injected memory. */
export type ConversationMessage = TranscriptMessage & {
  /** Whether memories may be extracted from it. */
  isSpoken: boolean;
  /** Its text without code and quoted lines, as `nameKey` makes it. */
  key: string;
  /** The same without passages between quotation marks. */
  ownKey: string;
  /** Those passages. */
  quotations: string[];
};

const FENCED_CODE = /^[ \t]*(?:```|~~~)[\s\S]*?(?:^[ \t]*(?:```|~~~)[ \t]*$|(?![\s\S]))/gmu;
const QUOTED_LINE = /^[ \t]*>.*$/gmu;
/** The closing marks of a quotation and its minimum length, which is longer than a name: a quoted name is still the speaker's word. */
const QUOTES: Readonly<Record<string, { closing: string; units: number }>> = {
  '"': { closing: '"', units: 12 },
  "“": { closing: "”", units: 12 },
  "„": { closing: "“”", units: 12 },
  "«": { closing: "»", units: 12 },
  "「": { closing: "」", units: 6 },
  "『": { closing: "』", units: 6 },
};
/** Replaces a removed passage, so that the words around it do not join; no quote contains it. */
const GAP = "\u001f";

/** The messages of users and of the assistant; nothing is extracted from system messages and tool results. */
export function conversationMessages({ transcript, spoken }: Pick<ModelAsk, "transcript" | "spoken">): ConversationMessage[] {
  return transcript.flatMap((message) => {
    const text = withoutMemory(message.text).trim();
    if ((message.role !== "user" && message.role !== "assistant") || text === "") return [];
    const written = text.replace(FENCED_CODE, GAP).replace(QUOTED_LINE, GAP);
    const { quotations, own } = separateQuotations(written);
    const isSpoken = message.role === "user" && (spoken === undefined || spoken.includes(message.index));
    return [{ ...message, text, isSpoken, key: keyOf(written), ownKey: keyOf(own), quotations: quotations.map(nameKey) }];
  });
}

/** The passages between quotation marks, each within one line, and the text with a gap in place of each. */
function separateQuotations(text: string): { quotations: string[]; own: string } {
  const quotations: string[] = [];
  const own: string[] = [];
  for (const line of text.split("\n")) {
    const kept: string[] = [];
    let from = 0;
    for (const quotation of quotationsIn(line)) {
      kept.push(line.slice(from, quotation.start), GAP);
      quotations.push(line.slice(quotation.start, quotation.end));
      from = quotation.end;
    }
    own.push(kept.join("") + line.slice(from));
  }
  return { quotations, own: own.join("\n") };
}

/** Linear in the length of the line: an opening mark that is never closed is not tried again. */
function quotationsIn(line: string): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = [];
  const unclosed = new Set<string>();
  for (let start = 0; start < line.length; start++) {
    const mark = line.charAt(start);
    const quote = QUOTES[mark];
    if (quote === undefined || unclosed.has(mark)) continue;
    const ends = [...quote.closing].map((closing) => line.indexOf(closing, start + 1)).filter((at) => at !== -1);
    if (ends.length === 0) unclosed.add(mark);
    const end = Math.min(...ends);
    if (ends.length === 0 || end - start - 1 < quote.units) continue;
    spans.push({ start, end: end + 1 });
    start = end;
  }
  return spans;
}

function keyOf(text: string): string {
  return text.split(GAP).map(nameKey).join(` ${GAP} `);
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** Whether the text has the words, whole and in this order; both as `nameKey` makes them. */
export function containsWords(text: string, words: string): boolean {
  if (words === "") return false;
  if (UNSPACED.test(words)) return text.replaceAll(" ", "").includes(words.replaceAll(" ", ""));
  return ` ${text} `.includes(` ${words} `);
}
