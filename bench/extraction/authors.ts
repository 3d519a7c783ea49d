import { bestOf, scoreOf } from "#core/learned/linear";
import { withJudgeOf } from "../../scripts/judge/models-of.ts";
import { aboutOf, type Kept, type TalkMessage } from "../../scripts/judge/talk.ts";
import { spanFeatures } from "../../src/domain/extraction/judge/features.ts";
import { judge } from "../../src/domain/extraction/judge/judge.ts";
import { MODELS } from "../../src/domain/extraction/judge/models.ts";
import { storedFrom } from "./stored.ts";
import type { ReadMessage } from "./talk-score.ts";

/** A message as a judge read it that was trained without its author. */
export type Unseen = ReadMessage & { author: string; score: number };

/** What such a judge says a marked span is, beside what its author marked. */
export type UnseenKind = Record<Head, { said: string; marked: string }>;

export const HEADS = ["type", "lasts", "about", "sensitive", "instruction"] as const;
type Head = (typeof HEADS)[number];

/** Leaves out one author at a time: trains the judge on all others and reads the author's messages. */
export function readUnseen(authors: ReadonlyMap<string, readonly TalkMessage[]>, onAuthor: (name: string) => void) {
  const messages: Unseen[] = [];
  const kinds: UnseenKind[] = [];
  for (const [author, own] of authors) {
    onAuthor(author);
    const others = [...authors].flatMap(([name, theirs]) => (name === author ? [] : theirs));
    withJudgeOf(others, () => {
      for (const message of own) {
        messages.push({ author, ...readMessage(message) });
        kinds.push(...message.keep.map(kindOf));
      }
    });
  }
  return { messages, kinds };
}

function readMessage({ lang, text, keep }: TalkMessage): Omit<Unseen, "author"> {
  return {
    lang,
    keep: keep.length > 0,
    facts: keep.map(({ must }) => must),
    stored: storedFrom(text),
    score: Math.max(0, ...judge(text).map(({ confidence }) => confidence)),
  };
}

function kindOf(kept: Kept): UnseenKind {
  const features = spanFeatures(kept.span);
  const pair = (said: unknown, marked: unknown) => ({ said: String(said), marked: String(marked) });
  return {
    type: pair(bestOf(MODELS.type, features), kept.type),
    lasts: pair(bestOf(MODELS.lasts, features), kept.lasts),
    about: pair(bestOf(MODELS.about, features), aboutOf(kept)),
    sensitive: pair(scoreOf(MODELS.sensitive, features) > 0, kept.sensitive),
    instruction: pair(scoreOf(MODELS.instruction, features) > 0, kept.instruction),
  };
}
