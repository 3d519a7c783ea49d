import { toNormalizedText } from "#core/language/folded";
import { withoutMemory } from "#core/text/memory-fence";
import { LEAST_CERTAINTY, oddsInOrder } from "./answer-odds.ts";
import type { SaidOf } from "./asked-list.ts";
import type { ReplayedList } from "./kept-list.ts";
import type { ValuesAnswer } from "./list-answer.ts";
import { findListIntros } from "./list-intros.ts";
import type { StoredTurn } from "./list-messages.ts";
import type { ListTurn } from "./replay-lists.ts";
import { contentWords, wordsIn } from "./talk-words.ts";
import { type TopicIndex, topicOfPhrase } from "./topics.ts";

/** The number of the chat in which a question is asked; sessions have other ids. */
export const HERE = 0;

/** The viewer's messages about lists, the earliest first, those that are not stored yet at the end. */
export function turnsNow(
  stored: readonly StoredTurn[],
  spoken: readonly string[],
  { now, question }: { now: number; question: string },
): ListTurn[] {
  const turns = stored
    .map(({ text, session, at, here }): ListTurn => ({ text: withoutMemory(text), session: here === 1 ? HERE : session, at }))
    .toReversed();
  const known = new Set(turns.filter(({ session }) => session === HERE).map(({ text }) => text));
  // A client sends messages again that are stored: applied twice, a swap would be undone.
  const fresh = spoken.map(withoutMemory).filter((text) => !known.has(text) && text !== question);
  return [...turns, ...fresh.map((text): ListTurn => ({ text, session: HERE, at: now }))];
}

/** The topic of a list: of favourites the topic's key, of others its words. */
export function topicOfList({ head, talk, topic: known }: ReplayedList, topicIndex: TopicIndex): string {
  if (known !== null) return known;
  const normalized = toNormalizedText(head);
  const [intro] = findListIntros(`${normalized}: a, b`);
  const noun = intro?.noun ?? null;
  const topic =
    intro === undefined || noun === null
      ? null
      : topicOfPhrase(noun, { topicIndex, language: intro.language, knownOnly: intro.knownOnly });
  if (topic !== null) return topic;
  const words = contentWords(normalized, talk, ["empty"]).map(({ start, end }) =>
    normalized.slice(start, end).replace(/\W+/gu, ""),
  );
  return (talk.spaced ? words.slice(0, MAX_TOPIC_WORDS).join("_") : normalized.slice(0, MAX_TOPIC_WORDS * 2)) || "list";
}

const MAX_TOPIC_WORDS = 5;

/** What a list answers to a question of which only the rank is known; null if it is not sure. */
export function byRank(list: ReplayedList, route: { ask: "rank"; rank: number | "last" } | { ask: "list" }): ValuesAnswer | null {
  if (oddsInOrder(list) < LEAST_CERTAINTY) return null;
  const open = list.items.filter(({ state }) => state === "open").map(({ value }, i) => ({ rank: i + 1, value }));
  if (route.ask === "list") return { ask: "list", rank: null, values: open };
  const item = route.rank === "last" ? open.at(-1) : open[route.rank - 1];
  return { ask: "rank", rank: item?.rank ?? null, values: item === undefined ? [] : [item] };
}

/** The stems of the messages of each list's chat, read once a chat. */
export function saidOf(turns: readonly ListTurn[]): SaidOf {
  const known = new Map<number, ReadonlySet<string>>();
  return ({ session, talk }) => {
    const before = known.get(session);
    if (before !== undefined) return before;
    const texts = turns.filter((turn) => turn.session === session).map(({ text }) => toNormalizedText(text));
    const stems = new Set(texts.flatMap((text) => wordsIn(text, talk).map(({ stem }) => stem)));
    known.set(session, stems);
    return stems;
  };
}
