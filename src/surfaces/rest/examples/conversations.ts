import type { z } from "zod";
import type { ExtractInput, ExtractView } from "#domain/extraction";
import type { ProfileView } from "#domain/profile";
import type {
  AppendedView,
  AppendInput,
  EpisodeView,
  ProjectInput,
  ProjectView,
  SessionInput,
  SessionView,
} from "#domain/sessions";
import type { SummarizeInput, SummarizeView } from "#domain/summaries";
import type { UserInput, UserView } from "#domain/tenants";

const EPISODE_ID = "epi_01a1f92c-720b-7527-9cd5-76463f8b4abc";
const SAID_AT = "2026-03-01T09:30:00.000Z";
const TEXT = "My sister Elena moved to Lisbon in May.";

export const USER_INPUT: z.input<typeof UserInput> = { name: "Alice", timeZone: "Europe/Lisbon" };
export const USER: UserView = {
  id: "alice",
  name: "Alice",
  timeZone: "Europe/Lisbon",
  createdAt: SAID_AT,
};

export const PROFILE: ProfileView = {
  entries: [
    {
      ...{ id: "mem_01a1f92c-720b-7527-9cd5-76463f8b4abc", section: "wishes", type: "procedural", key: null },
      ...{
        content: "answer in short bullet points please",
        since: SAID_AT,
        sinceDay: "2026-03-01",
        statedBy: "Alice",
        seen: 1,
        older: null,
        replaced: [],
      },
      source: { sessionId: "chat-1", episodeId: EPISODE_ID },
    },
    {
      ...{ id: "mem_01a1f92c-720b-7527-9cd5-76463f8b4abd", section: "identity", type: "identity", key: "identity:home" },
      ...{ content: "I moved to Lisbon", since: SAID_AT, sinceDay: "2026-03-01", source: null, statedBy: "Alice", seen: 2 },
      older: null,
      replaced: [{ content: "I live in Porto", from: null, to: SAID_AT }],
    },
  ],
  prose: null,
  tokens: { used: 14, estimated: true },
};

export const PROJECT_INPUT: z.input<typeof ProjectInput> = { userId: "alice", name: "Apollo" };
export const PROJECT: ProjectView = {
  id: "apollo",
  name: "Apollo",
  ownerId: "alice",
  memberIds: ["bob"],
  ownMemories: true,
  createdAt: SAID_AT,
};

export const SESSION_INPUT: z.input<typeof SessionInput> = {
  userId: "alice",
  title: "Launch",
  projectId: "apollo",
  participants: ["alice", "bob"],
};
export const SESSION: SessionView = {
  id: "chat-1",
  kind: "group",
  projectId: "apollo",
  title: "Launch",
  participants: ["alice", "bob"],
  lastAt: SAID_AT,
  createdAt: SAID_AT,
};

export const APPEND: z.input<typeof AppendInput> = {
  userId: "alice",
  messages: [
    { role: "user", content: TEXT, messageId: "m-1" },
    { role: "assistant", content: "How does she like it there?", messageId: "m-2" },
  ],
};

export const APPENDED: AppendedView = {
  id: EPISODE_ID,
  created: true,
  messages: [
    { index: 0, messageId: "m-1" },
    { index: 1, messageId: "m-2" },
  ],
  skippedMessageIds: [],
  forgot: [],
  redacted: [],
  occurredAt: SAID_AT,
  createdAt: SAID_AT,
  indexed: { text: true, vector: false },
};

export const APPENDED_BEFORE: AppendedView = { ...APPENDED, created: false, messages: [], skippedMessageIds: ["m-1", "m-2"] };

export const EPISODE: EpisodeView = {
  id: EPISODE_ID,
  sessionId: "chat-1",
  messages: [
    { index: 0, role: "user", userId: "alice", speaker: "Alice", content: TEXT, messageId: "m-1", occurredAt: SAID_AT },
    {
      index: 1,
      role: "assistant",
      userId: null,
      speaker: null,
      content: "How does she like it there?",
      messageId: "m-2",
      occurredAt: SAID_AT,
    },
  ],
  occurredAt: SAID_AT,
  createdAt: SAID_AT,
  indexed: { text: true, vector: true },
};

export const EXTRACT: z.input<typeof ExtractInput> = {
  userId: "alice",
  messages: [{ role: "user", content: "I prefer window seats." }],
};

export const EXTRACTED: ExtractView = {
  facts: [],
  memories: [
    {
      source: "rules",
      category: "preference",
      type: "preference",
      content: "Prefers window seats",
      key: null,
      confidence: 0.9,
      sensitivity: "personal",
      portable: true,
      ownership: "personal",
      scopeType: null,
      scopeId: null,
      userId: "alice",
      people: [],
      message: 0,
      validFrom: SAID_AT,
      expiresAt: null,
      wouldStore: true,
      reason: null,
    },
  ],
  people: [],
  entities: [],
  model: null,
};

export const SUMMARIZE: z.input<typeof SummarizeInput> = { userId: "alice", sessionId: "chat-1", keepTokens: 2000 };

export const SUMMARIZED: SummarizeView = {
  sessionId: "chat-1",
  dryRun: false,
  summaries: [
    {
      ...{ id: "mem_01a1f92c-720b-7527-9cd5-76463f8b4abc", by: "sentences", unusable: null, episodes: [EPISODE_ID] },
      ...{ from: SAID_AT, to: SAID_AT, tokensBefore: 3200, tokensAfter: 610 },
    },
  ],
  withoutContent: 0,
  tokens: { before: 3200, after: 610, saved: 2590 },
  remaining: false,
};
