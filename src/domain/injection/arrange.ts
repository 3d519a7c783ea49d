import { asksAssistant, asksForAmount } from "#core/language/asked-for";
import { readUtterance } from "#core/language/utterance";
import { type Arrangeable, type Asked, type Line, newestFirst } from "./line.ts";
import { scoreShortTalk } from "./short-talk.ts";
import { raiseNewer, yieldToNewer } from "./yield-to-newer.ts";

export type Arrangement<I> = {
  /** What the search found, best first. */
  found: readonly I[];
  /** The newest passages that it did not find, the newest first. */
  latest: readonly I[];
  /** Whether `found` and `latest` hold all that was ever said: then unspent budget goes to the latest statements. */
  isShortTalk: boolean;
  query: string;
  maxTokens: number;
};

/** Of long talk. Chosen on chats by outside authors, on one half of them; the other half, LoCoMo and BEAM gave no reason to change them. */
const WEIGHTS = {
  /** An assistant's passage, and, where the question asks for what it said, the passages of each. */
  assistant: 0.4,
  askedAssistant: 1.5,
  askedUser: 0.7,
};
/** A question of more words tells something about who asks it. */
const ASKS_ONLY_WORDS = 6;

/** Below this budget only what is about as good as the best item is shown, and of the profile only what limits answers. */
export const SMALL_BUDGET = 500;
const SMALL = { items: 3, share: 0.7, shareInShortTalk: 0.5 };

export type Arranged<I> = {
  /** In the order of the block. */
  items: I[];
  leftOut: { id: string; why: "says_nothing" | "weaker" }[];
};

/**
 * The items of the recalled part in their order. Left out are acknowledgements, questions of the user and the assistant's small talk; a
 * statement gives way to newer ones that look like a change of it. While the talk is short, the latest statements come too.
 */
export function arrange<I extends Arrangeable>(arrangement: Arrangement<I>): Arranged<I> {
  const { found, latest, isShortTalk, query, maxTokens } = arrangement;
  const asked = { assistant: asksAssistant(query), amount: asksForAmount(query) };
  const all = [...found, ...(isShortTalk ? latest : [])].map(toLine);
  const lines = all.filter((line) => isWorthShowing(line) && (line.score > 0 || isWanted(line, asked)));
  const statements = lines.filter(({ isStatement }) => isStatement).sort(newestFirst);
  if (isShortTalk) {
    scoreShortTalk(lines, { asked, all });
    yieldToNewer(statements);
  } else {
    for (const line of lines) line.score *= weightOfRole(line, asked);
    raiseNewer(statements);
  }
  const ranked = [...lines].sort((a, b) => b.score - a.score || newestFirst(a, b));
  const best = maxTokens < SMALL_BUDGET ? bestOf(ranked, isShortTalk ? SMALL.shareInShortTalk : SMALL.share) : ranked;
  const items = behindCurrent(withQuestions(best, all).map(({ item }) => item));
  const shown = new Set(items);
  const worth = new Set(lines.map(({ item }) => item));
  const leftOut = found
    .filter((item) => !shown.has(item))
    .map((item) => ({ id: item.id, why: worth.has(item) ? ("weaker" as const) : ("says_nothing" as const) }));
  return { items, leftOut };
}

function toLine<I extends Arrangeable>(item: I): Line<I> {
  const isStatement = item.kind === "memory" || (item.kind === "episode" && item.view.role === "user");
  return { item, utterance: readUtterance(item.text), score: item.view.score, at: Date.parse(item.occurredAt), isStatement };
}

/** Memories and entities were judged when they were stored. What somebody else says may be a question: it is no question of the user. */
function isWorthShowing({ item, utterance: { kind, words } }: Line<Arrangeable>): boolean {
  if (item.kind !== "episode") return true;
  return kind !== "acknowledgement" && (kind !== "question" || item.isOfOther || words.size > ASKS_ONLY_WORDS);
}

/** Of what the question shares nothing with: the user's statements, and the assistant's where it is asked for. */
function isWanted({ item, isStatement, utterance }: Line<Arrangeable>, { assistant }: Asked): boolean {
  if (item.kind !== "episode" || utterance.kind === "answer" || utterance.kind === "question") return false;
  return isStatement || (assistant && item.view.role === "assistant");
}

function weightOfRole({ item }: Line<Arrangeable>, asked: Asked): number {
  if (item.kind === "entity") return 1;
  const isAssistant = item.view.role === "assistant";
  if (asked.assistant) return isAssistant ? WEIGHTS.askedAssistant : WEIGHTS.askedUser;
  return isAssistant ? WEIGHTS.assistant : 1;
}

function bestOf<I extends Arrangeable>(ranked: readonly Line<I>[], share: number): Line<I>[] {
  const least = share * (ranked[0]?.score ?? 0);
  return ranked.filter(({ item, score }, i) => item.isInstruction || (i < SMALL.items && score >= least));
}

/** A bare answer ("yes, on Tuesday") comes after the question that it answers. */
function withQuestions<I extends Arrangeable>(ranked: readonly Line<I>[], all: readonly Line<I>[]): Line<I>[] {
  const taken = new Set<Line<I>>();
  for (const line of ranked) {
    const before = line.utterance.kind === "answer" && line.item.kind === "episode" ? lineBefore(line, all) : undefined;
    if (before !== undefined && /[?？]/u.test(before.item.text)) taken.add(before);
    taken.add(line);
  }
  return [...taken];
}

function lineBefore<I extends Arrangeable>({ item, at }: Line<I>, all: readonly Line<I>[]): Line<I> | undefined {
  return all
    .filter((other) => other.item.kind === "episode" && other.item.view.sessionId === item.view.sessionId && other.at < at)
    .sort(newestFirst)[0];
}

/** A passage of which a part was replaced stands behind the memory that replaced it. */
function behindCurrent<I extends Arrangeable>(items: readonly I[]): I[] {
  const memories = new Map(items.flatMap((item) => (item.kind === "memory" ? [[item.id, item] as const] : [])));
  return [
    ...new Set(
      items.flatMap((item) =>
        [item.behind === null ? undefined : memories.get(item.behind), item].filter((one) => one !== undefined),
      ),
    ),
  ];
}
