/** A stored fact that may answer, and where it comes from. */
export type Candidate = {
  /** The viewer's session; their project, or the user, without a session; the session of that pool with the latest list of the topic. */
  from: "session" | "project" | "project_session" | "user" | "user_session";
  kind: "ranked" | "single";
  /** From 1; 0 for a single one. */
  rank: number;
  value: string;
  createdAt: number;
};

export type Chosen<C extends Candidate> = { scope: "session" | "project" | "user"; facts: C[] };

/**
 * The one list that answers, by rank: the session's own, else the later of what is kept with the project or the user and of the pool's session
 * that stated it last. Ranks of two lists are never mixed; a single fact is a list of one if there is no ranked one.
 */
export function chooseList<C extends Candidate>(candidates: readonly C[]): Chosen<C> | null {
  const of = (from: Candidate["from"]) => candidates.filter((candidate) => candidate.from === from);
  const later = (one: Candidate["from"], other: Candidate["from"]) =>
    [of(one), of(other)].toSorted((a, b) => saidAt(b) - saidAt(a));
  const lists = [
    { scope: "session" as const, facts: of("session") },
    ...later("project", "project_session").map((facts) => ({ scope: "project" as const, facts })),
    ...later("user", "user_session").map((facts) => ({ scope: "user" as const, facts })),
  ];
  const list = lists.find(({ facts }) => facts.length > 0);
  if (list === undefined) return null;
  const ranked = list.facts.filter(({ kind }) => kind === "ranked");
  return { scope: list.scope, facts: (ranked.length > 0 ? ranked : list.facts).toSorted((a, b) => a.rank - b.rank) };
}

function saidAt(facts: readonly Candidate[]): number {
  return Math.max(Number.NEGATIVE_INFINITY, ...facts.map(({ createdAt }) => createdAt));
}

/** The fact of a rank in a chosen list; a single fact is both the first and the last. */
export function atRank<C extends Candidate>(facts: readonly C[], rank: number | "last"): C | undefined {
  return rank === "last" ? facts.at(-1) : facts.find((fact) => Math.max(fact.rank, 1) === rank);
}
