import type { Asked } from "./asked.ts";
import { type Arrangeable, type Line, newestFirst } from "./line.ts";
import { type Considered, readLines } from "./read-lines.ts";
import { scoreShortTalk } from "./short-talk.ts";
import { raiseNewer, yieldToNewer } from "./yield-to-newer.ts";

export type Arrangement<I> = Considered<I> & { maxTokens: number };

/** Of long talk. Chosen on chats by outside authors, on one half of them; the other half, LoCoMo and BEAM gave no reason to change them. */
const WEIGHTS = {
  /** An assistant's passage, and, where the question asks for what it said, the passages of each. */
  assistant: 0.4,
  askedAssistant: 1.5,
  askedUser: 0.7,
};
/** Below this budget only what is likely to be needed is shown, and of the profile only what limits answers. */
export const SMALL_BUDGET = 500;
/** Of long talk, whose scores are no probabilities: a share of the best one's. */
const SMALL = { items: 3, share: 0.7, documents: 1 };
/**
 * Of short talk, the least probability with which an item is needed in a small budget. Chosen on authors left out of the training: more of what
 * is needed and less of no use than with a fixed number. Of a question that likely needs nothing, what is hardly likely to be needed counts
 * even less. With a usual budget the order is enough.
 */
const LEAST_USE = 0.08;

export type Arranged<I> = {
  /** In the order of the block. */
  items: I[];
  leftOut: { id: string; why: "says_nothing" | "weaker" }[];
};

/**
 * The items of the recalled part in their order. Left out are acknowledgements, questions of the user and the assistant's small talk; a
 * statement gives way to newer ones that look like a change of it. While the talk is short, the latest statements come too. Passages of
 * documents have their place by how well they match, and change nothing in what is shown of the talk and its order; in a small budget they come
 * after it.
 */
export function arrange<I extends Arrangeable>(arrangement: Arrangement<I>): Arranged<I> {
  const { found, isShortTalk, maxTokens } = arrangement;
  const { all, lines, documents, asked } = readLines(arrangement);
  const statements = lines.filter(({ isStatement }) => isStatement).sort(newestFirst);
  const isSmall = maxTokens < SMALL_BUDGET;
  let best: Line<I>[];
  if (isShortTalk) {
    const needsAny = scoreShortTalk(lines, { asked, all, documents });
    yieldToNewer(statements);
    best = isSmall ? ofUse(rank(lines), LEAST_USE / needsAny ** 2) : rank([...lines, ...documents]);
  } else {
    for (const line of lines) line.score *= weightOfRole(line, asked);
    raiseNewer(statements);
    best = isSmall ? bestOf(rank(lines)) : rank([...lines, ...documents]);
  }
  if (isSmall && best.length < SMALL.items) best.push(...rank(documents).slice(0, SMALL.documents));
  const items = behindCurrent(withQuestions(best, all).map(({ item }) => item));
  const shown = new Set(items);
  const worth = new Set([...lines, ...documents].map(({ item }) => item));
  const leftOut = found
    .filter((item) => !shown.has(item))
    .map((item) => ({ id: item.id, why: worth.has(item) ? ("weaker" as const) : ("says_nothing" as const) }));
  return { items, leftOut };
}

function rank<I extends Arrangeable>(lines: readonly Line<I>[]): Line<I>[] {
  return [...lines].sort((a, b) => b.score - a.score || newestFirst(a, b));
}

function weightOfRole({ item }: Line<Arrangeable>, asked: Asked): number {
  if (item.kind === "entity") return 1;
  const isAssistant = item.view.role === "assistant";
  if (asked.assistant) return isAssistant ? WEIGHTS.askedAssistant : WEIGHTS.askedUser;
  return isAssistant ? WEIGHTS.assistant : 1;
}

function bestOf<I extends Arrangeable>(ranked: readonly Line<I>[]): Line<I>[] {
  const least = SMALL.share * (ranked[0]?.score ?? 0);
  return ranked.filter(({ item, score }, i) => item.isInstruction || (i < SMALL.items && score >= least));
}

/** A message and the memories that were learned from it say the same, so they are as likely to be needed as all of them together. */
function ofUse<I extends Arrangeable>(ranked: readonly Line<I>[], least: number): Line<I>[] {
  const sums = new Map<string, number>();
  const sourceOf = ({ item, isStatement }: Line<I>) => (isStatement ? (item.episodeId ?? item.id) : `${item.id} ${item.text}`);
  for (const line of ranked) sums.set(sourceOf(line), (sums.get(sourceOf(line)) ?? 0) + line.score);
  const enough = ranked.filter((line) => line.item.isInstruction || (sums.get(sourceOf(line)) ?? 0) >= least);
  const few = new Set([...new Set(enough.map(sourceOf))].slice(0, SMALL.items));
  return enough.filter((line) => line.item.isInstruction || few.has(sourceOf(line)));
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
