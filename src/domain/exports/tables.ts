import { type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { entities, entityMentions } from "#db/schema/entities";
import { facts, listMessages, sessionTopics, topicNouns, topics } from "#db/schema/facts";
import { forgettings } from "#db/schema/forgettings";
import { memories, memoryVersions } from "#db/schema/memories";
import { personMergeEdges, personMerges, persons } from "#db/schema/people";
import { episodes, messageKeys, projects, sessions } from "#db/schema/sessions";
import { chunks, files, sources } from "#db/schema/sources";
import { users } from "#db/schema/tenants";
import { usage } from "#db/schema/usage";

/** The tables whose rows are lines of an export, in the order in which they are exported: a row refers to lines before its own. */
export const KINDS = [
  "users",
  "projects",
  "sessions",
  "episodes",
  "message_keys",
  "persons",
  "memories",
  "memory_versions",
  "person_merges",
  "person_merge_edges",
  "entities",
  "entity_mentions",
  "facts",
  "session_topics",
  "list_messages",
  "topics",
  "topic_nouns",
  "forgettings",
  "sources",
  "files",
  "chunks",
  "usage",
] as const;

export type Kind = (typeof KINDS)[number];

/**
 * A column with the internal id of another row. If that row is not in the export, or could not be imported, the import leaves out the row
 * (`skip`) or the reference (`null`). 0 stands for none where the column says so.
 */
export type Reference = { to: Kind; ifMissing: "skip" | "null"; zeroIsNone?: true };

export type ExportedTable = {
  table: SQLiteTable;
  /** Properties that are not exported: the import sets them, from what the row belongs to. */
  ours: readonly string[];
  references: Readonly<Record<string, Reference>>;
  /** References to lines that may come later: exported once more in lines `links`, after all rows. */
  later: Readonly<Record<string, Kind>>;
  /** Rows of other tables that stand in the line, because they are stored together or not at all. `t` is the row. */
  within: Readonly<Record<string, { tables: readonly string[]; sql: SQL }>>;
};

const skip = (to: Kind): Reference => ({ to, ifMissing: "skip" });
const orNull = (to: Kind): Reference => ({ to, ifMissing: "null" });
const orZero = (to: Kind): Reference => ({ to, ifMissing: "skip", zeroIsNone: true });

const OURS = ["tenantId"];
const INDEXED = [...OURS, "spaceId", "vectorModel"];

function exported(table: SQLiteTable, more: Partial<Omit<ExportedTable, "table">> = {}): ExportedTable {
  return { table, ours: OURS, references: {}, later: {}, within: {}, ...more };
}

/** A user's own person: never merged into another, and made with the user. */
const ownPerson = sql`(
  select json_object('id', pe.id, 'publicId', pe.public_id, 'name', pe.name, 'aliases', json(pe.aliases), 'relationship', pe.relationship,
    'notes', pe.notes, 'version', pe.version, 'createdAt', pe.created_at, 'updatedAt', pe.updated_at)
  from persons pe where pe.user_id = t.id)`;
const members = sql`(
  select json_group_array(json_object('userId', pm.user_id, 'addedAt', pm.added_at)) from project_members pm where pm.project_id = t.id)`;
const participants = sql`(
  select json_group_array(json_object('userId', pa.user_id, 'joinedAt', pa.joined_at, 'leftAt', pa.left_at))
  from participants pa where pa.session_id = t.id)`;
const subjects = sql`(select json_group_array(su.person_id) from memory_subjects su where su.memory_id = t.id)`;

export const TABLES: Readonly<Record<Kind, ExportedTable>> = {
  users: exported(users, {
    ours: [...OURS, "spaceId", "tokensRevokedAt"],
    within: { person: { tables: ["persons", "person_names"], sql: ownPerson } },
  }),
  projects: exported(projects, {
    ours: [...OURS, "spaceId"],
    references: { ownerId: skip("users") },
    within: { members: { tables: ["project_members"], sql: members } },
  }),
  sessions: exported(sessions, {
    ours: [...OURS, "spaceId", "taggedProjectId"],
    references: { ownerId: skip("users"), projectId: orNull("projects") },
    within: { participants: { tables: ["participants"], sql: participants } },
  }),
  episodes: exported(episodes, {
    ours: [...OURS, "vectorModel"],
    references: { sessionId: skip("sessions"), sentBy: orNull("users") },
    later: { summaryId: "memories" },
  }),
  message_keys: exported(messageKeys, { references: { sessionId: skip("sessions"), episodeId: skip("episodes") } }),
  persons: exported(persons, {
    ours: [...OURS, "userId"],
    references: { createdBy: skip("users"), mergedInto: orNull("persons") },
  }),
  memories: exported(memories, {
    ours: INDEXED,
    references: {
      ownerId: skip("users"),
      sessionId: skip("sessions"),
      statedBy: orNull("persons"),
      learnedIn: orNull("sessions"),
      episodeId: orNull("episodes"),
    },
    later: { supersededBy: "memories", supersedes: "memories", contradicts: "memories" },
    within: { subjects: { tables: ["memory_subjects"], sql: subjects } },
  }),
  memory_versions: exported(memoryVersions, { references: { memoryId: skip("memories") } }),
  person_merges: exported(personMerges, {
    references: { fromId: skip("persons"), intoId: skip("persons"), mergedBy: skip("users") },
  }),
  person_merge_edges: exported(personMergeEdges, {
    references: { mergeId: skip("person_merges"), memoryId: skip("memories") },
  }),
  entities: exported(entities, { ours: [...INDEXED, "mentionCount"], references: { projectId: skip("projects") } }),
  entity_mentions: exported(entityMentions, { references: { entityId: skip("entities"), episodeId: skip("episodes") } }),
  facts: exported(facts, {
    references: {
      userId: skip("users"),
      sessionId: orZero("sessions"),
      projectId: orZero("projects"),
      episodeId: orNull("episodes"),
    },
  }),
  session_topics: exported(sessionTopics, { references: { sessionId: skip("sessions"), userId: skip("users") } }),
  list_messages: exported(listMessages, {
    references: { sessionId: skip("sessions"), userId: skip("users"), episodeId: skip("episodes") },
  }),
  topics: exported(topics),
  topic_nouns: exported(topicNouns),
  forgettings: exported(forgettings, { references: { userId: skip("users"), sessionId: skip("sessions") } }),
  sources: exported(sources, {
    ours: [...OURS, "spaceId"],
    references: { projectId: skip("projects"), createdBy: orNull("users") },
  }),
  files: exported(files, { references: { sourceId: skip("sources") } }),
  chunks: exported(chunks, { ours: INDEXED, references: { sourceId: skip("sources"), fileId: skip("files") } }),
  usage: exported(usage),
};

/** Why the other tables are not exported. A test compares both lists with the database, so that no table is forgotten. */
export const NOT_EXPORTED: Readonly<Record<string, string>> = {
  tenants: "The tenant into which rows are imported has its own.",
  spaces: "Internal: the import makes one for each user, group session and project.",
  keys: "Holds hashes of secrets: make new keys.",
  token_secrets: "Secrets: the new service makes its own.",
  identity_providers: "Says whose tokens are accepted: set it again (docs/settings.md).",
  allowed_origins: "Follows from the setting allowedOrigins.",
  settings: "One line `settings`, without the identity provider and the model server with its key.",
  idempotency: "Repeats of requests to this service, for a day.",
  audit: "Has an export of its own (GET /v1/audit/export), whose hash chain belongs to this service.",
  audit_seals: "As audit.",
  jobs: "Work in progress of this service: the import enqueues what its rows need.",
  vector_models: "Of the embedder of the service.",
  upkeep: "How far this service's upkeep has come.",
  imports: "Reports of what was imported into this service.",
  imported_ids: "As imports.",
  erasures: "Receipts of this service, which sign what it deleted.",
  tombstones: "Keyed hashes, which mean nothing under another key.",
  message_fts: "The text index, which is made of the rows.",
  memory_fts: "As message_fts.",
  entity_fts: "As message_fts.",
  chunk_fts: "As message_fts.",
};
