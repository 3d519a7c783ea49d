import { toNormalizedText } from "#core/language/folded";
import { asks } from "./asks.ts";
import type { Edited } from "./edit-list.ts";
import { type ItemState, type KeptItem, type KeptList, type Mention, mentionsIn, stemsOf } from "./kept-list.ts";
import { plainLine } from "./list-statement.ts";
import { sentencesWithMarks } from "./split-items.ts";
import { sameStem, type TalkClass, wordsIn } from "./talk-words.ts";

/** A word or a mark of a message. */
export type Token = {
  word: string;
  stem: string;
  start: number;
  end: number;
  /** The item of which it is a word; -1 for none. */
  item: number;
  sentence: number;
  isMark: boolean;
  classes: TalkClass[];
};

/** What the rules make of an item: as it was, done, gone, open again, or another item in its place; with "?" if they are not sure. */
export type RuledFate = "same" | "replaced" | ItemState | `${"same" | ItemState}?`;

/** A message as it is read for what it changes in a list. */
export type ChangeText = {
  list: KeptList;
  text: string;
  tokens: readonly Token[];
  mentions: readonly Mention[];
  /** Of each sentence, whether it asks. */
  asking: readonly boolean[];
  /** What the rules make of the message: the list, each item, and the new items. */
  ruled: Edited;
  fates: readonly RuledFate[];
  added: readonly string[];
};

/** Classes by which words are known to the models, in the order of their flags. */
export const CHANGE_CLASSES: readonly TalkClass[] = [
  "remove",
  "done",
  "doneActive",
  "add",
  "addFirst",
  "addLast",
  "not",
  "future",
  "may",
  "back",
  "swap",
  "change",
  "instead",
  "insteadOf",
  "replaceBy",
  "me",
  "none",
  "all",
  "clear",
  "needs",
  "left",
];

const TOKEN = /[a-z\u00c0-\u1fff0-9]+(?:[-'’][a-z\u00c0-\u1fff0-9]+)*|[^\sa-z\u00c0-\u1fff0-9]/gu;
const MARK = /^[^a-z\u00c0-\u1fff0-9]/u;
const SENTENCE_MARK = /^[.!?;…]$/u;
/** So many words and marks of a message are read. */
const MAX_TOKENS = 80;

/** A message to a list, and what the rules make of it. */
export function changeTextOf(list: KeptList, message: string, ruled: Edited): ChangeText {
  const text = plainLine(message);
  const normalized = toNormalizedText(text);
  const mentions = mentionsIn(text, list);
  return {
    list,
    text,
    mentions,
    tokens: tokensOf(normalized, list, mentions),
    asking: sentencesWithMarks(text).map((sentence) => asks(sentence, list.talk)),
    ruled,
    fates: list.items.map((item) => fateOf(item, ruled)),
    added: ruled.list.items.filter((item) => !list.items.some((other) => isSame(item, other))).map(({ value }) => value),
  };
}

export function isSame(one: KeptItem, other: KeptItem): boolean {
  return one.value === other.value && one.label === other.label;
}

function fateOf(item: KeptItem, { list }: Edited): RuledFate {
  const now = list.items.find((other) => isSame(item, other));
  if (now === undefined) return "replaced";
  const fate = now.state === item.state ? "same" : now.state;
  return now.unsure ? `${fate}?` : fate;
}

function tokensOf(normalized: string, list: KeptList, mentions: readonly Mention[]): Token[] {
  const { talk } = list;
  const words = new Map(wordsIn(normalized, talk).map((word) => [word.start, word]));
  const classes = CHANGE_CLASSES.map((name) => ({ name, spans: talk.find(name, normalized) })).filter(
    ({ spans }) => spans.length > 0,
  );
  const stems = mentions.map(({ index }) => {
    const item = list.items[index];
    return item === undefined ? [] : [...stemsOf(item.value, talk), ...(item.label === null ? [] : stemsOf(item.label, talk))];
  });
  const tokens: Token[] = [];
  let sentence = 0;
  for (const { index: start, 0: word } of normalized.matchAll(TOKEN)) {
    if (tokens.length === MAX_TOKENS) break;
    const end = start + word.length;
    const known = words.get(start);
    const named = known === undefined ? -1 : stems.findIndex((own) => own.some((stem) => sameStem(stem, known.stem)));
    tokens.push({
      word,
      stem: known?.stem ?? word,
      start,
      end,
      item: mentions[named]?.index ?? -1,
      sentence,
      isMark: MARK.test(word),
      classes: classes
        .filter(({ spans }) => spans.some((span) => span.start <= start && end <= span.end))
        .map(({ name }) => name),
    });
    if (SENTENCE_MARK.test(word)) sentence += 1;
  }
  return tokens;
}
