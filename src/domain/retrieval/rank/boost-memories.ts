import type { QueryAnalysis } from "#core/text/query";
import type { Factor } from "./boost.ts";

/** What the factors of a memory look at. Times are Unix milliseconds. */
export type MemoryCandidate = {
  id: number;
  score: number;
  type: string;
  confidence: number;
  /** How often it was said. */
  seenCount: number;
  lastSeenAt: number;
  /** Whether it is about a person whom the question names. */
  isAboutNamed: boolean;
};

export type BoostedMemory<C extends MemoryCandidate> = C & { factors: Factor[] };

const DAY_MS = 86_400_000;

/**
 * Small, so that they order what matches alike and never lift what does not match. Plausible, not measured: the questions that
 * search is measured with have no memories to answer them.
 */
export const MEMORY_BOOST = {
  /** A statement that was kept says in one sentence what an exchange says in passing; an exchange has its neighbours' help. */
  kept: 1.3,
  aboutNamed: 1.15,
  /** For each doubling of how often it was said, and at most. */
  reinforced: 0.05,
  mostReinforced: 1.2,
  /** What is left of the doubt about a memory of confidence 0. */
  doubt: 0.2,
  /** The most that age takes from what fades. */
  fading: 0.25,
};

/** Days after which half of what can fade has faded; what has none does not. */
const HALF_LIFE_DAYS: Readonly<Record<string, number>> = { context: 3, observation: 1.5, task: 7, event: 15 };

const TYPE_WEIGHT: Readonly<Record<string, number>> = { observation: 0.9, context: 0.95 };

/** Multiplies each memory's score by its factors, and sorts by the product (of equals, the newer). Without `adjust` the scores stay. */
export function boostMemories<C extends MemoryCandidate>(
  question: QueryAnalysis,
  candidates: readonly C[],
  { adjust, now }: { adjust: boolean; now: number },
): BoostedMemory<C>[] {
  return candidates
    .map((candidate): BoostedMemory<C> => {
      const factors = adjust ? factorsOf(question, candidate, now).filter(({ value }) => value !== 1) : [];
      return { ...candidate, factors, score: factors.reduce((score, { value }) => score * value, candidate.score) };
    })
    .sort((a, b) => b.score - a.score || b.id - a.id);
}

function factorsOf(question: QueryAnalysis, memory: MemoryCandidate, now: number): Factor[] {
  const c = MEMORY_BOOST;
  return [
    { name: "kept", value: c.kept },
    { name: "about", value: memory.isAboutNamed ? c.aboutNamed : 1 },
    { name: "type", value: TYPE_WEIGHT[memory.type] ?? 1 },
    { name: "reinforced", value: Math.min(c.mostReinforced, 1 + c.reinforced * Math.log2(Math.max(1, memory.seenCount))) },
    { name: "confidence", value: 1 - c.doubt * (1 - memory.confidence) },
    { name: "fading", value: question.asksWhen ? 1 : fading(memory, now) },
  ];
}

/** An ephemeral memory fades with the time since it was last said, by the half-life of its type. */
function fading({ type, lastSeenAt }: MemoryCandidate, now: number): number {
  const halfLife = HALF_LIFE_DAYS[type];
  if (halfLife === undefined) return 1;
  const left = 2 ** (-Math.max(0, now - lastSeenAt) / (halfLife * DAY_MS));
  return 1 - MEMORY_BOOST.fading * (1 - left);
}
