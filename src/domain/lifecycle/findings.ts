import type { VectorRef } from "#ports/vector-index";

type InvariantDescription = { description: string /** `info`: nothing is wrong, it is only told. */; level: "error" | "info" };

/** Everything that always holds, and how it is said. */
export const INVARIANTS = {
  "user.person": {
    description: "Every user has exactly one person of their own, of the same tenant and not merged away.",
    level: "error",
  },
  "user.names": { description: "A user's own person is found by its name and by the app's id of the user.", level: "error" },
  "user.space": { description: "Every user has a space of their own.", level: "error" },
  "session.space": {
    description:
      "A private session is in its owner's space, a group session in one of its own; owner and project are of the tenant.",
    level: "error",
  },
  "session.positions": { description: "A session's next position is behind all of its episodes.", level: "error" },
  "session.participants": {
    description: "Nobody takes part in a session twice at once, and only users of the tenant do.",
    level: "error",
  },
  "project.members": { description: "A project's owner and its members exist and are of the tenant.", level: "error" },
  "episode.words": { description: "Every passage of an episode is in the text index.", level: "error" },
  "episode.vectors": {
    description: "An episode older than an hour has vectors of the model in use, or a job that sees to it.",
    level: "error",
  },
  "episode.stored": { description: "An episode that counts as embedded has its vectors in the vector index.", level: "error" },
  "passage.episode": { description: "The text index holds no passage without its episode.", level: "error" },
  "memory.home": {
    description:
      "A memory has an owner, a group session or neither, and is in that one's space: the owner's, the session's, the tenant's.",
    level: "error",
  },
  "memory.unique": {
    description: "No two memories in force of one space have the same words and key, or the same key in a workspace.",
    level: "error",
  },
  "memory.superseded": {
    description: "What was superseded names another memory of the tenant, there or purged since, and says until when it held.",
    level: "error",
  },
  "memory.subjects": { description: "Whom a memory is about exists, is of the tenant and is not merged away.", level: "error" },
  "memory.sources": {
    description:
      "Who stated a memory, and the session and episode where it was learned, are of the tenant; only the episode may be forgotten since.",
    level: "error",
  },
  "memory.words": { description: "Every memory that is not forgotten is in the text index, under its space.", level: "error" },
  "memory.vectors": {
    description: "A memory older than an hour has a vector of the model in use, or a job that sees to it.",
    level: "error",
  },
  "memory.stored": { description: "A memory that counts as embedded has its vector in the vector index.", level: "error" },
  "memory.expired": {
    description: "What has expired is forgotten when upkeep comes by; no read shows it until then.",
    level: "info",
  },
  "words.memory": { description: "The text index holds no words of a memory that is forgotten.", level: "error" },
  "entity.home": { description: "An entity is of the tenant of its project, and in the project's space.", level: "error" },
  "entity.name": { description: "An entity is known by the key of its name, and its type is in lower case.", level: "error" },
  "entity.mentions": { description: "An entity has as many mentions as it counts, by episodes that are there.", level: "error" },
  "entity.words": { description: "Every entity is in the text index, under its space.", level: "error" },
  "entity.vectors": {
    description: "An entity older than an hour has a vector of the model in use, or a job that sees to it.",
    level: "error",
  },
  "entity.stored": { description: "An entity that counts as embedded has its vector in the vector index.", level: "error" },
  "words.entity": { description: "The text index holds no words of an entity that is gone.", level: "error" },
  "fact.home": { description: "A fact is of its user's tenant, and its session or project is there.", level: "error" },
  "vector.row": {
    description: "The vector index holds no vector of a memory, a passage or an entity that is gone.",
    level: "error",
  },
  "job.open": { description: "No job waits or runs for more than a day.", level: "error" },
  "job.waiting": {
    description: "Jobs that wait for a server go on by themselves when it answers as it should again.",
    level: "info",
  },
  "job.failed": {
    description: "Failed jobs wait for a person; those that failed because a server was down can be run again as they are.",
    level: "info",
  },
  "audit.dense": { description: "The audit's rows are numbered without a gap.", level: "error" },
  "audit.chain": { description: "The audit's rows are as they were when they were sealed.", level: "error" },
} as const satisfies Record<string, InvariantDescription>;

export type Invariant = keyof typeof INVARIANTS;

/** The keys of a literal are exactly those of its type. */
export const INVARIANT_NAMES = Object.keys(INVARIANTS) as Invariant[];

/** What puts a violation right. Ids are internal. */
export type Repair =
  | { kind: "memory.reindex" | "memory.removeFromIndex" | "memory.embed" | "memory.end" | "memory.subjects"; id: number }
  | { kind: "episode.reindex" | "passage.removeFromIndex"; id: number }
  | { kind: "entity.reindex" | "entity.removeFromIndex" | "entity.embed" | "entity.recount"; id: number }
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
  repair: Repair | null;
  /** Of how many rows it speaks; one when absent. */
  count?: number;
  /** Why, in our own words, where that is known. */
  reason?: string;
  /** Unix milliseconds since when it has been so, where that is known. */
  since?: number;
};

/** What a step of an examination saw. */
export type CheckResult = {
  /** Rows that each invariant was asked of; false where this cannot be known. */
  checked: Partial<Record<Invariant, number | false>>;
  findings: Finding[];
  next: string | null;
};
