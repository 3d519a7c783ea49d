import { parseForgetRequest, readForgetRequest } from "#core/language/forget-requests";
import { scoreOf, unpack } from "#core/linear/model";
import { FORGET_MODELS } from "../../src/core/language/forget-models.ts";
import { worthOf } from "../../src/domain/extraction/judge/judge.ts";
import { keysIn } from "../../src/domain/extraction/rules/keys-in.ts";
import { chooseWords } from "../../src/domain/forgetting/choose-words.ts";
import { requestFeaturesIn } from "../../src/domain/forgetting/context-features.ts";
import { MODELS } from "../../src/domain/forgetting/models.ts";
import { likeness } from "./likeness.ts";
import type { ForgetLine } from "./talk.ts";
import { type ForgetModels, train } from "./train.ts";

/** What models that were trained without its author make of a line. */
export type Unseen = {
  author: string;
  line: ForgetLine;
  /** The log odds that it asks, alone and given what was said before. */
  alone: number;
  among: number;
  /** What was redacted, as a service would. */
  isGone: boolean;
  isKept: boolean;
  isUntouched: boolean;
  cut: string[];
};

/** Puts these models in place of the product's; for a process of its own. */
function use({ language, domain }: ForgetModels): void {
  Object.assign(FORGET_MODELS, { asks: unpack(language.asks) });
  Object.assign(MODELS, { asks: unpack(domain.asks), message: domain.message, clause: domain.clause, whole: domain.whole });
}

/** Leaves out one author at a time: trains on all others and reads the author's lines. `own` is always trained on and never measured. */
export function readUnseen(authors: ReadonlyMap<string, readonly ForgetLine[]>, talk: readonly string[]): Unseen[] {
  return [...authors].flatMap(([author, lines]) => {
    if (author === "own.jsonl") return [];
    const others = [...authors].flatMap(([name, theirs]) => (name === author ? [] : theirs));
    use(train(others, talk));
    return lines.map((line) => ({ author, line, ...readLine(line) }));
  });
}

function readLine(line: ForgetLine): Omit<Unseen, "author" | "line"> {
  const before = line.before.toReversed();
  const parsed = parseForgetRequest(line.text);
  const request = readForgetRequest(line.text);
  const chosen =
    request === null
      ? []
      : chooseWords(
          request,
          before.map((text) => ({ text, isHere: true, isList: false })),
          { ...likeness, worth: worthOf, keysOf: keysIn },
        );
  const redacted = chosen.flatMap(({ of, spans }) => {
    const text = of === null ? line.text : (before[of] ?? "");
    return spans.map(({ start, end }) => ({ text, start, end }));
  });
  const share = (words: string) => shareCut(words, [line.text, ...before], redacted);
  return {
    alone: scoreOf(FORGET_MODELS.asks, parsed.features),
    among: scoreOf(MODELS.asks, requestFeaturesIn(parsed, before)),
    isGone: line.target.every((words) => share(words) > MOSTLY),
    isKept: line.keep.every((words) => share(words) < 1 - MOSTLY),
    isUntouched: redacted.length === 0,
    cut: redacted.map(({ text, start, end }) => text.slice(start, end)),
  };
}

/** Words are gone if so much of their letters is; a conjunction beside them may stay or go. */
const MOSTLY = 0.85;

function shareCut(
  words: string,
  texts: readonly string[],
  cuts: readonly { text: string; start: number; end: number }[],
): number {
  const text = texts.find((each) => each.includes(words)) ?? "";
  const at = text.indexOf(words);
  const letters = [...words.matchAll(/[\p{L}\p{N}]/gu)].map(({ index }) => at + index);
  const isCut = (place: number) => cuts.some((cut) => cut.text === text && place >= cut.start && place < cut.end);
  return letters.filter(isCut).length / Math.max(1, letters.length);
}
