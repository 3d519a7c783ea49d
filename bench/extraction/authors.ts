import { bestOf, scoreOf } from "#core/linear/model";
import { withJudgeOf } from "../../scripts/judge/models-of.ts";
import { aboutOf, type Kept, type TalkMessage } from "../../scripts/judge/talk.ts";
import { spanFeatures } from "../../src/domain/extraction/judge/features.ts";
import { judge } from "../../src/domain/extraction/judge/judge.ts";
import { MODELS } from "../../src/domain/extraction/judge/models.ts";
import { storedFrom } from "./stored.ts";
import type { ReadMessage } from "./talk-score.ts";
import { readWishes, type UnseenWishes } from "./wishes.ts";

/** A message as a judge read it that was trained without its author. */
export type Unseen = ReadMessage & { author: string; score: number };

/** What such a judge says a marked span is, beside what its author marked. */
export type UnseenKind = Record<Head, { said: string; marked: string }>;

export const HEADS = ["type", "lasts", "about", "sensitive"] as const;
type Head = (typeof HEADS)[number];

type Authors = ReadonlyMap<string, readonly TalkMessage[]>;

/** Leaves out one author at a time: trains the judge on all others and reads the author's messages. Of `wishAuthors` only wishes are read. */
export function readUnseen(
  { authors, wishAuthors }: { authors: Authors; wishAuthors: Authors },
  onAuthor: (name: string) => void,
) {
  const messages: Unseen[] = [];
  const kinds: UnseenKind[] = [];
  const wishes = { ofTalk: [] as UnseenWishes[], ofWishes: [] as UnseenWishes[] };
  for (const [author, own] of authors) {
    onAuthor(author);
    withJudgeOf({ talk: without(authors, author), wishes: without(wishAuthors, null) }, () => {
      for (const message of own) {
        messages.push({ author, ...readMessage(message) });
        kinds.push(...message.keep.map(kindOf));
        wishes.ofTalk.push(readWishes(author, message));
      }
    });
  }
  for (const [author, own] of wishAuthors) {
    onAuthor(author);
    withJudgeOf({ talk: without(authors, null), wishes: without(wishAuthors, author) }, () => {
      wishes.ofWishes.push(...own.map((message) => readWishes(author, message)));
    });
  }
  return { messages, kinds, wishes };
}

function without(authors: Authors, author: string | null): TalkMessage[] {
  return [...authors].flatMap(([name, theirs]) => (name === author ? [] : theirs));
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
  };
}
