import { ENTITIES } from "#domain/entities";
import { type CheckResult as CheckResultOf, findingsOf, type Indexable, type IndexRepair, type Places } from "#domain/indexing";
import { MEMORIES } from "#domain/memories";
import { EPISODES } from "#domain/sessions";
import { CHUNKS } from "#domain/sources";

/** Every kind of row that is indexed. */
export const INDEXABLES: readonly Indexable[] = [EPISODES, MEMORIES, ENTITIES, CHUNKS];

/** The spaces that hold vectors: the tenant's, its users' and groups', and its projects'; documents are in the first and the last. */
export const VECTOR_PLACES: readonly Places[] = [MEMORIES.places, ENTITIES.places];

/** `info`: nothing is wrong, it is only reported. */
type InvariantDescription = { description: string; level: "error" | "info" };

/** Invariants that can break: derived data that drifts from its rows, and jobs that do not finish. */
const INVARIANTS: Readonly<Record<string, InvariantDescription>> = {
  "user.person": { description: "Every user has a person of their own.", level: "error" },
  "user.names": { description: "A user's own person is found by its name and by the app's id of the user.", level: "error" },
  "session.positions": { description: "A session's next position is behind all of its episodes.", level: "error" },
  ...Object.fromEntries(
    INDEXABLES.flatMap((indexable) =>
      Object.values(findingsOf(indexable)).map(
        ({ name, description }) => [name, { description, level: "error" as const }] as const,
      ),
    ),
  ),
  "episode.summary": {
    description:
      "The memory that an episode names as its summary is one that cites it. One that was deleted for good is not there.",
    level: "error",
  },
  "upload.file": {
    description: "What was uploaded more than a day ago is of a file that is still to be read.",
    level: "error",
  },
  "entity.mentions": { description: "An entity has as many mentions as it counts, by episodes that are there.", level: "error" },
  "vector.row": {
    description: "The vector index holds no vector of a memory, a passage, an entity or a document's chunk that is gone.",
    level: "error",
  },
  "memory.expired": {
    description: "Expired memories are forgotten at the next upkeep; no read returns them until then.",
    level: "info",
  },
  "job.open": { description: "No job waits or runs for more than a day.", level: "error" },
  "job.waiting": {
    description: "Jobs that wait for a server continue automatically when it works again.",
    level: "info",
  },
  "job.failed": {
    description: "Failed jobs wait for a person; those that failed because a server was down can be run again as they are.",
    level: "info",
  },
  "audit.chain": {
    description: "The rows of the audit log are numbered without a gap and unchanged since they were sealed.",
    level: "error",
  },
};

export const INVARIANT_NAMES = Object.keys(INVARIANTS);

/** @throws RangeError for a name that is not in `INVARIANT_NAMES`. */
export function descriptionOf(name: string): InvariantDescription {
  const found = INVARIANTS[name];
  if (found === undefined) throw new RangeError(`There is no invariant ${name}.`);
  return found;
}

/** The repair of a finding. Ids are internal, except a job's, which is public. */
export type Repair =
  | IndexRepair
  /** The id is the user's, then the person's. */
  | { kind: "user.person"; id: number; keys: readonly string[] }
  | { kind: "user.names"; id: number; keys: readonly string[] }
  | { kind: "session.positions" | "entity.mentions" | "episode.summary"; id: number }
  | { kind: "upload.file"; key: string }
  | { kind: "job.rerun"; jobId: string };

export type Finding = {
  invariant: string;
  /** An id as other answers show it: for a session or a user, the app's. */
  example: string | null;
  /** Null if only a person can repair it. */
  repair: Repair | null;
  /** How many rows the finding covers; one when absent. */
  count?: number;
  /** The reason, in our own words, if known. */
  reason?: string;
  /** Unix milliseconds since when, if known. */
  since?: number;
};

export type CheckResult = CheckResultOf<Finding>;
