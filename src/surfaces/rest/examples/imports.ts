import type { z } from "zod";
import type { ImportFinishInput, ImportInput, ImportPartInput, ImportPartView, ImportView } from "#domain/imports";

const SHA256 = "3f79bb7b435b05321651daefd374cdc681dc06faa65e374e38337b88ca046dea";

const NONE = {
  ...{ stored: 0, grown: 0, known: 0, elsewhere: 0, empty: 0, erased: 0, failed: 0, messages: 0, messagesKnown: 0 },
  ...{ hidden: 0, tool: 0, thinking: 0, parts: 0, branches: 0, blank: 0, activitiesLeftOut: 0, projectsLeftOut: 0, documents: 0 },
};

export const IMPORT_INPUT: z.input<typeof ImportInput> = {
  userId: "alice",
  platform: "chatgpt",
  fileName: "conversations.json",
  sha256: SHA256,
};

export const IMPORT: ImportView = {
  id: "imp_01a1f92c-720b-7527-9cd5-76463f8b4abc",
  platform: "chatgpt",
  fileName: "conversations.json",
  sha256: SHA256,
  projectId: null,
  extraction: "rules",
  dryRun: false,
  status: "open",
  statistics: NONE,
  rows: {},
  problems: [],
  createdAt: "2026-03-01T09:30:00.000Z",
  finishedAt: null,
  repeated: false,
};

export const FINISHED: ImportView = {
  ...IMPORT,
  status: "finished",
  statistics: { ...NONE, stored: 412, failed: 1, messages: 8204, tool: 377, hidden: 412 },
  problems: [{ title: "Trip to Graz", reason: "It has neither an id nor messages." }],
  finishedAt: "2026-03-01T09:31:00.000Z",
};

export const REPEATED: ImportView = { ...FINISHED, repeated: true };

export const PART_INPUT: z.input<typeof ImportPartInput> = {
  userId: "alice",
  conversations: [
    {
      id: "6e068097-25e9-4977-8d72-48e2951f58d0",
      title: "Trip to Graz",
      create_time: 1740822000.5,
      current_node: "b",
      mapping: {
        a: {
          id: "a",
          parent: null,
          message: {
            author: { role: "user" },
            create_time: 1740822000.5,
            content: { content_type: "text", parts: ["Where is Graz?"] },
          },
        },
        b: {
          id: "b",
          parent: "a",
          message: {
            author: { role: "assistant" },
            create_time: 1740822004,
            content: { content_type: "text", parts: ["In Styria."] },
          },
        },
      },
    },
  ],
};

export const PART: ImportPartView = {
  items: [
    {
      position: 0,
      title: "Trip to Graz",
      sessionId: "chatgpt:6e068097-25e9-4977-8d72-48e2951f58d0:b4d41ec6d9cef2eb",
      outcome: "stored",
      ...{ messages: 2, messagesKnown: 0 },
      reason: null,
      notes: [],
    },
  ],
  statistics: { ...NONE, stored: 1, messages: 2 },
  rows: {},
  problems: [],
};

export const FINISH: z.input<typeof ImportFinishInput> = { userId: "alice" };
