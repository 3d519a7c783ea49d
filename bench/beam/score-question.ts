import { score } from "../quality/metrics.ts";

/** What one question found, as ids of messages: an episode is its message, a memory the message that it was learned from. */
export type Found = {
  evidence: readonly string[];
  /** Of the search, best first, each once. */
  searched: readonly string[];
  /** Of the context's block, by the kind of its lines. */
  context: { memories: ReadonlySet<string>; episodes: ReadonlySet<string> };
  /** Of a context of memories alone. */
  memoriesAlone: ReadonlySet<string>;
  /** Messages from which a memory was learned. */
  learned: ReadonlySet<string>;
};

export type QuestionScore = {
  /** Shares of the question's evidence messages. */
  r10: number;
  context: number;
  contextMemories: number;
  contextEpisodes: number;
  /** Whether the newest of its evidence is in the context: 1 or 0. */
  newest: number;
  memoriesAlone: number;
  learned: number;
};

export const SCORES = ["r10", "context", "contextMemories", "contextEpisodes", "newest", "memoriesAlone", "learned"] as const;

/** The ids of messages are numbers that grow. */
export function scoreQuestion({ evidence, searched, context, memoriesAlone, learned }: Found): QuestionScore {
  const shareOf = (holds: (id: string) => boolean) => evidence.filter(holds).length / evidence.length;
  const isInContext = (id: string) => context.memories.has(id) || context.episodes.has(id);
  const newest = evidence.reduce((last, id) => (Number(id) > Number(last) ? id : last), "0");
  return {
    r10: score(new Set(evidence), searched).r10,
    context: shareOf(isInContext),
    contextMemories: shareOf((id) => context.memories.has(id)),
    contextEpisodes: shareOf((id) => context.episodes.has(id)),
    newest: isInContext(newest) ? 1 : 0,
    memoriesAlone: shareOf((id) => memoriesAlone.has(id)),
    learned: shareOf((id) => learned.has(id)),
  };
}

export function meanScore(all: readonly QuestionScore[]): QuestionScore {
  const of = (name: keyof QuestionScore) => all.reduce((sum, one) => sum + one[name], 0) / Math.max(1, all.length);
  return {
    r10: of("r10"),
    context: of("context"),
    contextMemories: of("contextMemories"),
    contextEpisodes: of("contextEpisodes"),
    newest: of("newest"),
    memoriesAlone: of("memoriesAlone"),
    learned: of("learned"),
  };
}
