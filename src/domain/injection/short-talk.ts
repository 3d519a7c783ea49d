import { namesAmount } from "#core/language/asked-for";
import { type Arrangeable, type Asked, type Line, newestFirst } from "./line.ts";

/**
 * How likely a line is what a question needs, as weights of a conditional logit over the lines of the talk (McFadden, "Conditional logit
 * analysis of qualitative choice behavior", 1974). Fitted on chats, updates and profiles by outside authors, with the cosines of two
 * embedders; `opening` and `latest` were set by hand, because those authors open nearly every chat with a question.
 */
const WEIGHTS = {
  /** The search's score. */
  score: 2.5,
  /** Its likeness to the question, that of the message before it, and that of its whole conversation, each beside the talk's. */
  likeness: 0.55,
  likenessBefore: 0.45,
  likenessOfConversation: 1.6,
  user: 1.4,
  /** Where the question asks for what the assistant said. */
  userIfAssistantAsked: -2.65,
  assistantIfAsked: 3.65,
  question: -2,
  /** For each doubling of its words, as far as more words say more: a change is told in few. */
  length: 1.33,
  /** The first message of a conversation that goes on. */
  opening: -0.8,
  /** The newest statement, falling by half with every six newer ones, and less the more there are. */
  latest: 4,
  /** A number or a time where one is asked for. */
  amount: 1.5,
};
const HALF_LIFE = 6;
const MOST_WORDS = 12;
/** Cosines of one talk hardly lie closer together than this. */
const LEAST_DEVIATION = 0.05;

type Talk<I> = {
  asked: Asked;
  /** All lines of the talk, also those that are not worth showing. */
  all: readonly Line<I>[];
};

/** Sets the score of each line to the probability that it is what the question needs; together they are 1. */
export function scoreShortTalk<I extends Arrangeable>(lines: readonly Line<I>[], { asked, all }: Talk<I>): void {
  const likeness = readLikeness(all);
  const statements = lines.filter(({ isStatement }) => isStatement).sort(newestFirst);
  const rankOf = new Map(statements.map((line, rank) => [line, rank]));
  const newest = WEIGHTS.latest / Math.sqrt(Math.max(1, statements.length));
  const weighed = lines.map((line) => {
    const { own, before, conversation, isOpening } = likeness(line);
    const rank = rankOf.get(line);
    const isAssistant = line.item.view.role === "assistant";
    return (
      WEIGHTS.score * line.score +
      WEIGHTS.likeness * own +
      WEIGHTS.likenessBefore * before +
      WEIGHTS.likenessOfConversation * conversation +
      (isAssistant ? 0 : WEIGHTS.user) +
      (asked.assistant ? (isAssistant ? WEIGHTS.assistantIfAsked : WEIGHTS.userIfAssistantAsked) : 0) +
      (line.utterance.kind === "question" ? WEIGHTS.question : 0) +
      WEIGHTS.length * Math.log2(1 + wordsOf(line)) +
      (isOpening ? WEIGHTS.opening : 0) +
      (rank === undefined ? 0 : newest * 2 ** (-rank / HALF_LIFE)) +
      (asked.amount && namesAmount(line.item.text) ? WEIGHTS.amount : 0)
    );
  });
  const highest = Math.max(...weighed);
  const odds = weighed.map((weight) => Math.exp(weight - highest));
  const sumOfOdds = odds.reduce((sum, one) => sum + one, 0);
  for (const [i, line] of lines.entries()) line.score = (odds[i] ?? 0) / sumOfOdds;
}

/** An entity is a name, however little is noted of it. */
function wordsOf({ item, utterance }: Line<Arrangeable>): number {
  return item.kind === "entity" ? MOST_WORDS : Math.min(MOST_WORDS, utterance.words.size);
}

type Likeness = { own: number; before: number; conversation: number; isOpening: boolean };

/**
 * The likeness of lines to the question in standard deviations of the talk; 0, as for the mean, where none is known. A memory has its own,
 * and the place of the message from which it was learned.
 */
function readLikeness<I extends Arrangeable>(all: readonly Line<I>[]): (line: Line<I>) => Likeness {
  const known = all.flatMap(({ item }) => item.likeness ?? []);
  const mean = known.reduce((sum, one) => sum + one, 0) / Math.max(1, known.length);
  const variance = known.reduce((sum, one) => sum + (one - mean) ** 2, 0) / Math.max(1, known.length);
  const deviation = Math.max(LEAST_DEVIATION, Math.sqrt(variance));
  const likenessOf = ({ item }: Line<I>) => (item.likeness === null ? 0 : (item.likeness - mean) / deviation);
  const passages = all.filter(({ item }) => item.kind === "episode");
  const conversations = [...Map.groupBy(passages, ({ item }) => item.view.sessionId).values()].map((said) =>
    said.sort((a, b) => a.at - b.at),
  );
  const places = new Map(
    conversations.flatMap((said) => {
      const isMore = said.length > 1;
      const conversation = isMore ? said.reduce((sum, line) => sum + likenessOf(line), 0) / said.length : 0;
      return said.map((line, i) => {
        const previous = said[i - 1];
        const before = previous === undefined ? 0 : likenessOf(previous);
        return [line.item.id, { before, conversation, isOpening: isMore && i === 0 }] as const;
      });
    }),
  );
  return (line) => {
    const source = line.item.kind === "memory" ? line.item.episodeId : line.item.id;
    const place = source === null ? undefined : places.get(source);
    return { own: likenessOf(line), ...(place ?? { before: 0, conversation: 0, isOpening: false }) };
  };
}
