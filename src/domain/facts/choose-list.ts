/** A stored fact that may answer, and where it comes from. */
export type Candidate = {
  /** The viewer's session; their project without a session; the session of their project with the latest list of the topic; the user. */
  from: "session" | "project" | "project_session" | "user";
  kind: "ranked" | "single";
  /** From 1; 0 for a single one. */
  rank: number;
  value: string;
  createdAt: number;
};

export type Chosen<C extends Candidate> = { scope: "session" | "project" | "user"; facts: C[] };

/**
 * The one list that answers, by rank: the session's own, else the later of the project's two, else the user's. Ranks of two lists are never
 * mixed; a single fact is a list of one if there is no ranked one.
 */
export function chooseList<C extends Candidate>(candidates: readonly C[]): Chosen<C> | null {
  const of = (from: Candidate["from"]) => candidates.filter((candidate) => candidate.from === from);
  const projects = [of("project"), of("project_session")].toSorted((a, b) => saidAt(b) - saidAt(a));
  const lists = [
    { scope: "session" as const, facts: of("session") },
    ...projects.map((facts) => ({ scope: "project" as const, facts })),
    { scope: "user" as const, facts: of("user") },
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
