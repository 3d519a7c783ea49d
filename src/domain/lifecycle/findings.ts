import type { VectorRef } from "#ports/vector-index";

type Law = { law: string /** `info`: nothing is wrong, it is only told. */; level: "error" | "info" };

/** Everything that always holds, and how it is said. */
export const INVARIANTS = {
  "user.person": {
    law: "Every user has exactly one person of their own, of the same tenant and not merged away.",
    level: "error",
  },
  "user.names": { law: "A user's own person is found by its name and by the app's id of the user.", level: "error" },
  "user.space": { law: "Every user has a space of their own.", level: "error" },
  "session.space": {
    law: "A private session is in its owner's space, a group session in one of its own; owner and project are of the tenant.",
    level: "error",
  },
  "session.positions": { law: "A session's next position is behind all of its episodes.", level: "error" },
  "session.participants": {
    law: "Nobody takes part in a session twice at once, and only users of the tenant do.",
    level: "error",
  },
  "project.members": { law: "A project's owner and its members exist and are of the tenant.", level: "error" },
  "episode.words": { law: "Every passage of an episode is in the text index.", level: "error" },
  "episode.vectors": {
    law: "An episode older than an hour has vectors of the model in use, or a job that sees to it.",
    level: "error",
  },
  "episode.stored": { law: "An episode that counts as embedded has its vectors in the vector index.", level: "error" },
  "passage.episode": { law: "The text index holds no passage without its episode.", level: "error" },
  "memory.home": {
    law: "A memory has an owner, a group session or neither, and is in that one's space: the owner's, the session's, the tenant's.",
    level: "error",
  },
  "memory.unique": {
    law: "No two memories in force of one space have the same words and key, or the same key in a workspace.",
    level: "error",
  },
  "memory.superseded": {
    law: "What was superseded names another memory of the tenant, there or purged since, and says until when it held.",
    level: "error",
  },
  "memory.subjects": { law: "Whom a memory is about exists, is of the tenant and is not merged away.", level: "error" },
  "memory.sources": {
    law: "Who stated a memory, and the session and episode where it was learned, are of the tenant; only the episode may be forgotten since.",
    level: "error",
  },
  "memory.words": { law: "Every memory that is not forgotten is in the text index, under its space.", level: "error" },
  "memory.vectors": {
    law: "A memory older than an hour has a vector of the model in use, or a job that sees to it.",
    level: "error",
  },
  "memory.stored": { law: "A memory that counts as embedded has its vector in the vector index.", level: "error" },
  "memory.expired": { law: "What has expired is forgotten when upkeep comes by; no read shows it until then.", level: "info" },
  "words.memory": { law: "The text index holds no words of a memory that is forgotten.", level: "error" },
  "entity.home": { law: "An entity is of the tenant of its project, and in the project's space.", level: "error" },
  "entity.name": { law: "An entity is known by the key of its name, and its type is in lower case.", level: "error" },
  "entity.mentions": { law: "An entity has as many mentions as it counts, by episodes that are there.", level: "error" },
  "entity.words": { law: "Every entity is in the text index, under its space.", level: "error" },
  "entity.vectors": {
    law: "An entity older than an hour has a vector of the model in use, or a job that sees to it.",
    level: "error",
  },
  "entity.stored": { law: "An entity that counts as embedded has its vector in the vector index.", level: "error" },
  "words.entity": { law: "The text index holds no words of an entity that is gone.", level: "error" },
  "fact.home": { law: "A fact is of its user's tenant, and its session or project is there.", level: "error" },
  "vector.row": { law: "The vector index holds no vector of a memory, a passage or an entity that is gone.", level: "error" },
  "job.open": { law: "No job waits or runs for more than a day.", level: "error" },
  "job.waiting": { law: "Jobs that wait for a server go on by themselves when it answers as it should again.", level: "info" },
  "job.failed": {
    law: "Failed jobs wait for a person; those that failed because a server was down can be run again as they are.",
    level: "info",
  },
  "audit.dense": { law: "The audit's rows are numbered without a gap.", level: "error" },
  "audit.chain": { law: "The audit's rows are as they were when they were sealed.", level: "error" },
} as const satisfies Record<string, Law>;

export type Invariant = keyof typeof INVARIANTS;

/** The keys of a literal are exactly those of its type. */
export const INVARIANT_NAMES = Object.keys(INVARIANTS) as Invariant[];

/** What puts a violation right. Ids are internal. */
export type Cure =
  | { kind: "memory.reword" | "memory.unword" | "memory.embed" | "memory.end" | "memory.subjects"; id: number }
  | { kind: "episode.reword" | "passage.unword"; id: number }
  | { kind: "entity.reword" | "entity.unword" | "entity.embed" | "entity.recount"; id: number }
  /** The id is the user's. */
  | { kind: "fact.remove"; id: number }
  | { kind: "episode.embed"; id: number; chunkCount: number }
  | { kind: "vector.remove"; ref: VectorRef; memoryId: number | null }
  | { kind: "user.person"; id: number; names: readonly string[] }
  | { kind: "user.names"; id: number; keys: readonly string[] }
  /** The id is the job's, which is public. */
  | { kind: "job.rerun"; jobId: string }
  | { kind: "session.positions" | "session.participants" | "project.members"; id: number };

export type Finding = {
  invariant: Invariant;
  /** An id as other answers show it: of a session, a project or a user the app's own. */
  example: string | null;
  /** Null if it takes a person. */
  cure: Cure | null;
  /** Of how many rows it speaks; one when absent. */
  count?: number;
  /** Why, in our own words, where that is known. */
  reason?: string;
  /** Unix milliseconds since when it has been so, where that is known. */
  since?: number;
};

/** What a step of an examination saw. */
export type Examined = {
  /** Rows that each invariant was asked of; false where this cannot be known. */
  checked: Partial<Record<Invariant, number | false>>;
  findings: Finding[];
  next: string | null;
};
