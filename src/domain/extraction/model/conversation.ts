import { withoutMemory } from "#core/text/memory-fence";
import { nameKey } from "#core/text/normalize";
import type { ModelAsk, TranscriptMessage } from "./types.ts";

/** A message as it may be learned from: without memory that was put before a model. */
export type ConversationMessage = TranscriptMessage & {
  /** Whether it is one that may be learned from. */
  isSpoken: boolean;
  /** What somebody wrote, in the form of `nameKey`: without code and quoted lines. */
  key: string;
  /** The same without passages between quotation marks: what the speaker says themselves. */
  ownKey: string;
  /** Those passages. */
  quotations: string[];
};

const FENCED_CODE = /^[ \t]*(?:```|~~~)[\s\S]*?(?:^[ \t]*(?:```|~~~)[ \t]*$|(?![\s\S]))/gmu;
const QUOTED_LINE = /^[ \t]*>.*$/gmu;
/** What closes a quotation, and how long it is at least. Longer than a name: a name in quotation marks is still said by whoever says it. */
const QUOTES: Readonly<Record<string, { closing: string; units: number }>> = {
  '"': { closing: '"', units: 12 },
  "“": { closing: "”", units: 12 },
  "„": { closing: "“”", units: 12 },
  "«": { closing: "»", units: 12 },
  "「": { closing: "」", units: 6 },
  "『": { closing: "』", units: 6 },
};
/** Stands where a passage was taken out, so that what stood round it does not become one sentence; no quote holds it. */
const GAP = "\u001f";

/** What users and the assistant said. What the app told its model, and what tools answered, is nobody's word. */
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

/** The passages between quotation marks of one line each, and the text with a gap in the place of each. */
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

/** In time by the length of the line: a mark after which none closes is not looked for again. */
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

/** Whether the words stand in the text, whole and in this order; both as `nameKey` makes them. */
export function holds(text: string, words: string): boolean {
  if (words === "") return false;
  if (UNSPACED.test(words)) return text.replaceAll(" ", "").includes(words.replaceAll(" ", ""));
  return ` ${text} `.includes(` ${words} `);
}
