import { withoutMemory } from "#core/text/memory-fence";
import { nameKey } from "#core/text/name-key";
import type { ModelAsk, TranscriptMessage } from "./types.ts";

/** A message as it may be learned from: without memory that was put before a model. */
export type Heard = TranscriptMessage & {
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
/** Longer than a name: a name in quotation marks is still said by whoever says it. */
const QUOTATION = /"[^"\n]{12,}?"|“[^”\n]{12,}?”|„[^“”\n]{12,}?[“”]|«[^»\n]{12,}?»|「[^」\n]{6,}?」|『[^』\n]{6,}?』/gu;
/** Stands where a passage was taken out, so that what stood round it does not become one sentence; no quote holds it. */
const GAP = "\u001f";

/** What users and the assistant said. What the app told its model, and what tools answered, is nobody's word. */
export function heard({ transcript, spoken }: Pick<ModelAsk, "transcript" | "spoken">): Heard[] {
  return transcript.flatMap((message) => {
    const text = withoutMemory(message.text).trim();
    if ((message.role !== "user" && message.role !== "assistant") || text === "") return [];
    const written = text.replace(FENCED_CODE, GAP).replace(QUOTED_LINE, GAP);
    const quotations = (written.match(QUOTATION) ?? []).map(nameKey);
    const isSpoken = message.role === "user" && (spoken === undefined || spoken.includes(message.index));
    return [{ ...message, text, isSpoken, key: keyOf(written), ownKey: keyOf(written.replace(QUOTATION, GAP)), quotations }];
  });
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
