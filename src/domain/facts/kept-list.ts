import { toNormalizedText } from "#core/language/folded";
import { contentWords, type Span, sameStem, type Talk, wordsIn } from "./talk-words.ts";

/** `gone`: taken off the list without being done; `off`: done or gone, it is not known which. */
export type ItemState = "open" | "done" | "gone" | "off";

export type KeptItem = {
  label: string | null;
  value: string;
  state: ItemState;
  /** Whether something was said of it that was not understood. */
  unsure: boolean;
  /** The probability that it is on the list, or off it, as its state says. */
  odds: number;
};

/** A list as the messages of its speaker left it. */
export type KeptList = {
  talk: Talk;
  /** The words that name it. */
  head: string;
  items: readonly KeptItem[];
  ordered: boolean;
  /** Whether something was said of the list that was not understood. */
  unsure: boolean;
  /** The probabilities that the list has no other items, and that they are in this order. */
  odds: number;
  orderOdds: number;
};

/** A list with the chat and the message in which it was spoken of last. */
export type ReplayedList = KeptList & {
  /** Of favourites with ranks, the topic of the facts that state the same. */
  topic: string | null;
  session: number;
  /** When it was stated, and spoken of last. */
  statedAt: number;
  touchedAt: number;
  /** The number of the message that spoke of it last. */
  touched: number;
  /** The items that this message changed, by their values. */
  changed: readonly string[];
  /** Whether a later message changed it, or may have. */
  edited: boolean;
  /** The list as rules alone leave it, where models read with them and changed it since. */
  ruled: ReplayedList | null;
};

/** The stems by which an item or a list is known; without words of content, its last word. */
export function stemsOf(text: string, talk: Talk): string[] {
  const normalized = toNormalizedText(text);
  const content = contentWords(normalized, talk, ["empty", "generic", "verbs"]);
  const all = wordsIn(normalized, talk);
  const known = content.length > 0 ? content : talk.spaced ? all.slice(-1) : all;
  return [...new Set(known.map(({ stem }) => stem))];
}

/** The stems of the words that name a list. */
export function nameStems({ head, talk }: Pick<KeptList, "head" | "talk">): string[] {
  return [...new Set(contentWords(toNormalizedText(head), talk, ["empty"]).map(({ stem }) => stem))];
}

/** Where a text speaks of an item, its first words in a row. `by`: with its label, its value, or both. */
export type Mention = Span & { index: number; by: "label" | "value" | "both" };

type KnownItem = { gone: boolean; label: readonly string[]; value: readonly string[] };

const stemsOfItems = new WeakMap<KeptItem, KnownItem>();

/** Items never change, so their stems are read once. */
function knownItem(item: KeptItem, talk: Talk): KnownItem {
  const before = stemsOfItems.get(item);
  if (before !== undefined) return before;
  const known = {
    gone: item.state === "gone",
    label: item.label === null ? [] : stemsOf(item.label, talk),
    value: stemsOf(item.value, talk),
  };
  stemsOfItems.set(item, known);
  return known;
}

const stemIndexes = new WeakMap<readonly KeptItem[], ReadonlySet<string>>();

/** The first letters of all stems of items: a text without a word that begins so mentions none. */
function beginnings(items: readonly KeptItem[], talk: Talk): ReadonlySet<string> {
  const before = stemIndexes.get(items);
  if (before !== undefined) return before;
  const known = items.map((item) => knownItem(item, talk));
  const index = new Set(known.flatMap(({ label, value }) => [...label, ...value].map(beginningOf)));
  stemIndexes.set(items, index);
  return index;
}

/** Equal for stems that are one word (`sameStem`). */
function beginningOf(stem: string): string {
  return stem.slice(0, 5);
}

/**
 * The items of a list of which a text speaks: by a word that only one item has, or by all words of the item. What an item shares with others
 * names none of them.
 */
export function mentionsIn(text: string, { talk, items }: Pick<KeptList, "talk" | "items">): Mention[] {
  const words = wordsIn(toNormalizedText(text), talk);
  const index = beginnings(items, talk);
  if (!words.some(({ stem }) => index.has(beginningOf(stem)))) return [];
  const known = items.map((item) => knownItem(item, talk));
  const share = (stem: string, index: number) =>
    known.some(
      ({ label, value, gone }, i) =>
        i !== index &&
        !gone &&
        known[i]?.label.join() !== known[index]?.label.join() &&
        [...label, ...value].some((each) => sameStem(each, stem)),
    );
  const within = (stem: string, index: number) =>
    known.some(({ value, gone }, i) => i !== index && !gone && value.some((each) => sameStem(each, stem)));
  const mentions = known.flatMap(({ label, value }, index) => {
    const labelled =
      label.length > 0 && label.every((stem) => words.some((word) => sameStem(word.stem, stem))) ? hits(words, label) : [];
    const own = hits(words, value);
    const named =
      own.some(({ stem }) => !within(stem, index) && !share(stem, index)) ||
      (own.length > 0 && value.every((stem) => own.some((word) => sameStem(word.stem, stem))));
    const all = [...labelled, ...(named ? own : [])];
    if (all.length === 0) return [];
    return [
      {
        index,
        ...firstRun(words, all),
        by: labelled.length === 0 ? "value" : named ? "both" : "label",
        words: new Set(all.map(({ start }) => start)),
      } satisfies Mention & { words: Set<number> },
    ];
  });
  // "Sal's mum" speaks of no "Sal" beside it.
  return mentions.filter(
    (mention) =>
      !mentions.some(
        (other) => other.words.size > mention.words.size && [...mention.words].every((word) => other.words.has(word)),
      ),
  );
}

function firstRun(words: readonly Span[], spoken: readonly Span[]): Span {
  const from = words.findIndex(({ start }) => spoken.some((span) => span.start === start));
  let to = from;
  while (spoken.some(({ start }) => start === words[to + 1]?.start)) to += 1;
  return { start: words[from]?.start ?? 0, end: words[to]?.end ?? 0 };
}

function hits(words: readonly (Span & { stem: string })[], stems: readonly string[]) {
  return words.filter(({ stem }) => stems.some((each) => sameStem(each, stem)));
}
