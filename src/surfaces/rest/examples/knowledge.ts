import type { z } from "zod";
import type {
  EntityChange,
  EntityInput,
  EntitySearchInput,
  EntitySearchView,
  EntityView,
  MentionView,
  RetaggedManyView,
  RetaggedView,
  RetagManyInput,
  RetagOneInput,
  SavedEntityView,
} from "#domain/entities";
import type {
  AnswerInput,
  AnswerView,
  AssertedView,
  AssertInput,
  FactView,
  RetractedView,
  TopicInput,
  TopicView,
} from "#domain/facts";
import type { MergeInput, MergeView, PersonChange, PersonInput, PersonView, UndoInput } from "#domain/people";

const SAID_AT = "2026-03-01T09:30:00.000Z";
const ENTITY_ID = "ent_01a1f92c-720b-7527-9cd5-76463f8b4abc";
const EPISODE_ID = "epi_01a1f92c-720b-7527-9cd5-76463f8b4abc";

export const ENTITY_INPUT: z.input<typeof EntityInput> = {
  userId: "alice",
  projectId: "apollo",
  type: "product",
  name: "Lathe",
  notes: "Is oiled every spring.",
};

export const ENTITY: EntityView = {
  id: ENTITY_ID,
  projectId: "apollo",
  type: "product",
  name: "Lathe",
  notes: "Is oiled every spring.",
  mentionCount: 3,
  firstSeenAt: SAID_AT,
  lastSeenAt: SAID_AT,
  version: 1,
  indexed: { text: true, vector: true },
  createdAt: SAID_AT,
  updatedAt: SAID_AT,
};

export const ENTITY_ADDED: SavedEntityView = { ...ENTITY, mentionCount: 0, created: true };
export const ENTITY_FOUND: SavedEntityView = { ...ENTITY, created: false };
export const ENTITY_CHANGE: z.input<typeof EntityChange> = { userId: "alice", notes: "Is oiled in March." };
export const MENTION: MentionView = { episodeId: EPISODE_ID, sessionId: "chat-1", at: SAID_AT };
export const RETAG: z.input<typeof RetagOneInput> = { userId: "alice", projectId: "gemini" };
export const RETAGGED: RetaggedView = { id: ENTITY_ID, mergedInto: null, entity: { ...ENTITY, projectId: "gemini", version: 2 } };
export const RETAG_MANY: z.input<typeof RetagManyInput> = { userId: "alice", fromProjectId: "apollo", toProjectId: "gemini" };
export const RETAGGED_MANY: RetaggedManyView = { items: [{ id: ENTITY_ID, mergedInto: null }], remaining: false };

export const ENTITY_SEARCH: z.input<typeof EntitySearchInput> = {
  userId: "alice",
  projectId: "apollo",
  query: "lathe",
  limit: 5,
};
export const ENTITY_HITS: EntitySearchView = { hits: [{ ...ENTITY, score: 0.87 }], degraded: [], queryEmbedding: "computed" };

export const FACT_INPUT: z.input<typeof AssertInput> = {
  userId: "alice",
  sessionId: "chat-1",
  topic: "favorite color",
  rank: 1,
  value: "green",
};

export const FACT_ADDED: AssertedView = {
  topic: "color",
  kind: "ranked",
  rank: 1,
  written: true,
  value: "green",
  createdAt: SAID_AT,
};
export const FACT_OLDER: AssertedView = { ...FACT_ADDED, written: false, value: "blue" };

export const FACT: FactView = {
  topic: "color",
  label: "favorite color",
  kind: "ranked",
  rank: 1,
  value: "green",
  standing: "stated",
  scope: "session",
  sessionId: "chat-1",
  projectId: null,
  sourceMessageId: null,
  episodeId: null,
  createdAt: SAID_AT,
  storedAt: SAID_AT,
};

export const RETRACTED: RetractedView = { topic: "color", retracted: 1 };

export const QUESTION: z.input<typeof AnswerInput> = {
  userId: "alice",
  sessionId: "chat-1",
  question: "What is my favorite color?",
};
export const ANSWER: AnswerView = {
  routed: true,
  found: true,
  text: "Your favorite color is green.",
  topic: "color",
  topicAssumed: false,
  ask: "rank",
  rank: 1,
  values: [{ rank: 1, value: "green" }],
  scope: "session",
};

export const TOPIC_INPUT: z.input<typeof TopicInput> = { nouns: [{ noun: "snack", language: "en" }] };
export const TOPIC: TopicView = {
  key: "snack",
  label: "snack",
  builtIn: false,
  nouns: [{ noun: "snack", language: "en" }],
  updatedAt: SAID_AT,
};

export const PERSON_INPUT: z.input<typeof PersonInput> = {
  userId: "alice",
  name: "Lena",
  aliases: ["Leni"],
  relationship: "sister",
};

export const PERSON: PersonView = {
  id: "per_01a1f92c-720b-7527-9cd5-76463f8b4abc",
  name: "Lena",
  aliases: ["Leni"],
  userId: null,
  relationship: "sister",
  notes: null,
  createdBy: "alice",
  mergedInto: null,
  mergeId: null,
  version: 1,
  createdAt: SAID_AT,
  updatedAt: SAID_AT,
};

export const OWN_PERSON: PersonView = { ...PERSON, name: "Alice", aliases: [], userId: "alice", relationship: null };
export const PERSON_CHANGE: z.input<typeof PersonChange> = { userId: "alice", notes: "Lives in Lisbon." };

const MERGED_ID = "per_01a1f92c-720b-7527-9cd5-76463f8b4abd";
const MERGE_ID = "mrg_01a1f92c-720b-7527-9cd5-76463f8b4abc";
const FROM: PersonView = { ...PERSON, id: MERGED_ID, name: "Leni", aliases: [], mergedInto: PERSON.id, mergeId: MERGE_ID };

export const MERGE_INPUT: z.input<typeof MergeInput> = { userId: "alice", from: MERGED_ID };
export const MERGE: MergeView = { id: MERGE_ID, from: FROM, into: PERSON, mergedAt: SAID_AT, undoneAt: null };
export const UNDO: z.input<typeof UndoInput> = { userId: "alice" };
export const UNDONE: MergeView = {
  ...MERGE,
  from: { ...FROM, mergedInto: null, mergeId: null },
  undoneAt: "2026-03-02T10:00:00.000Z",
};
