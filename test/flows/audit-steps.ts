import { expect } from "vitest";
import { publicId } from "#core/ids";
import { upload } from "#test/document-requests";
import type { Harness } from "#test/harness";
import { download } from "./export-rows.ts";
import { begin, chatGptConversation, claudeConversation, part, start } from "./import-requests.ts";
import { say } from "./requests.ts";
import { remember } from "./upkeep-rows.ts";

export type Step = {
  does: string;
  method: string;
  path: string | (() => Promise<string>);
  body?: Record<string, unknown> | string | (() => Promise<Record<string, unknown>>);
  headers?: Record<string, string>;
  writes: string[];
  route: string;
};

const SOURCE = "/v1/sources/plans";
const FILES = "/v1/sources/{sourceId}/files";
const TEXT = "The shed is old.";

/** In a project of ann's. */
export function documentSteps(harness: () => Harness): Step[] {
  const source = async (sourceId: string) => {
    await harness().fetch("PUT", "/v1/projects/yard", { body: { userId: "ann" } });
    await harness().fetch("PUT", `/v1/sources/${sourceId}`, { body: { userId: "ann", projectId: "yard" } });
    return `/v1/sources/${sourceId}`;
  };
  const file = async () => {
    const place = await source("plans");
    const to = { sourceId: "plans", path: `${crypto.randomUUID()}.md`, userId: "ann" };
    return `${place}/files/${(await upload(harness(), to, TEXT)).json.id}`;
  };
  const bytes = { "content-type": "text/markdown", "content-length": String(TEXT.length) };
  const uploadTo = async (path: string) => `${await source("plans")}/files?userId=ann&path=${path}`;
  return [
    {
      does: "makes a source",
      method: "PUT",
      path: async () => {
        await source("plans");
        return "/v1/sources/maps";
      },
      body: { userId: "ann", projectId: "yard" },
      writes: ["source.created"],
      route: "/v1/sources/{sourceId}",
    },
    {
      does: "renames a source",
      method: "PUT",
      path: SOURCE,
      body: { userId: "ann", name: "Plans of the yard" },
      writes: ["source.renamed"],
      route: "/v1/sources/{sourceId}",
    },
    {
      does: "uploads a file",
      method: "PUT",
      path: () => uploadTo("shed.md"),
      ...{ body: TEXT, headers: bytes },
      writes: ["file.created"],
      route: FILES,
    },
    {
      does: "uploads a file in another's place",
      method: "PUT",
      path: () => uploadTo("shed.md"),
      ...{ body: TEXT.replace("old", "new"), headers: bytes },
      writes: ["file.replaced"],
      route: FILES,
    },
    {
      does: "stores two texts as files",
      method: "POST",
      path: `${SOURCE}/files`,
      body: {
        userId: "ann",
        files: [
          { path: "gate.md", content: "The gate is green." },
          { path: "pond.md", content: "The pond is deep." },
        ],
      },
      writes: ["source.uploaded"],
      route: FILES,
    },
    {
      does: "reads a file again",
      method: "POST",
      path: async () => `${await file()}/read`,
      body: { userId: "ann" },
      writes: ["file.read_again"],
      route: `${FILES}/{fileId}/read`,
    },
    {
      does: "deletes a file",
      method: "DELETE",
      path: async () => `${await file()}?userId=ann`,
      writes: ["file.removed"],
      route: `${FILES}/{fileId}`,
    },
  ];
}

export function importSteps(harness: () => Harness): Step[] {
  let begun = 0;
  const begin = async (extra: Record<string, unknown> = {}) => {
    begun += 1;
    return await start(harness(), { sha: `a${begun}`, userId: "ann", ...extra });
  };
  const parts = async (extra?: Record<string, unknown>) => `/v1/imports/${await begin(extra)}/parts`;
  const route = "/v1/imports/{importId}/parts";
  /** Of the export of a user with one memory. */
  const lineOf = async (kind: string) => {
    await remember(harness(), "Ann lends tools.", { userId: "lender" });
    const { lines } = await download(harness(), "?userId=lender");
    return lines.filter((line) => line.kind === kind);
  };
  return [
    {
      does: "begins an import",
      method: "POST",
      path: "/v1/imports",
      body: { userId: "ann", platform: "chatgpt", fileName: "conversations.json", sha256: "b".repeat(64) },
      writes: ["import.started"],
      route: "/v1/imports",
    },
    // A part is stored in several batches, each with its audit row: conversation by conversation, then project by project. Its counts in
    // the import's report are a batch without one, as they change nothing of the user's. If the first batch fails, none is stored.
    {
      does: "imports two conversations",
      method: "POST",
      path: () => parts(),
      body: {
        userId: "ann",
        conversations: [chatGptConversation("lark", ["Do larks sing?"]), chatGptConversation("wren", ["Do wrens sing?"])],
      },
      writes: ["conversation.imported", "conversation.imported"],
      route,
    },
    {
      does: "imports a conversation and the documents of a project",
      method: "POST",
      path: () => parts({ platform: "claude", projectId: "yard" }),
      body: {
        userId: "ann",
        conversations: [claudeConversation("owls", ["Do owls hunt?"])],
        projects: [{ uuid: "birds", name: "Birds", docs: [{ filename: "owl.md", content: "Owls hunt at night." }] }],
      },
      writes: ["conversation.imported", "source.created", "file.created"],
      route,
    },
    // Kind by kind. Which rows of the service the lines of users stand for is recorded before, and no change of the user's.
    {
      does: "imports a memory that was exported",
      method: "POST",
      path: async () => {
        const place = await parts({ userId: "lender", platform: "edgewise" });
        await harness().fetch("POST", place, { body: { userId: "lender", lines: await lineOf("users") } });
        return place;
      },
      body: async () => {
        const news = { publicId: publicId("memory", Date.now()), content: "Ann lends books.", hash: "b".repeat(64) };
        return {
          userId: "lender",
          lines: (await lineOf("memories")).map((line) => ({ ...line, row: { ...line.row, ...news } })),
        };
      },
      writes: ["import.rows_stored"],
      route,
    },
    {
      does: "finishes an import",
      method: "POST",
      path: async () => `/v1/imports/${await begin()}/finish`,
      body: { userId: "ann" },
      writes: ["import.finished"],
      route: "/v1/imports/{importId}/finish",
    },
  ];
}

export function upkeepSteps(harness: () => Harness): Step[] {
  return [
    {
      does: "summarizes a session",
      method: "POST",
      path: async () => {
        await say(harness(), "tales", "I built a sauna from larch behind the house last summer.", { userId: "ann" });
        return "/v1/summarize";
      },
      body: { userId: "ann", sessionId: "tales", keepTokens: 0 },
      writes: ["memory.remembered", "session.summarized"],
      route: "/v1/summarize",
    },
    {
      does: "rebuilds the indexes",
      method: "POST",
      path: "/v1/lifecycle/rebuild",
      body: {},
      writes: ["index.rebuild_started"],
      route: "/v1/lifecycle/rebuild",
    },
  ];
}

/** Each erases something of its own; the jobs that do it are not run. */
export function erasingSteps(harness: () => Harness): Step[] {
  const put = async (path: string, body: Record<string, unknown>) => {
    await harness().fetch("PUT", path, { body });
    return path;
  };
  const writes = ["erasure.started"];
  return [
    {
      does: "erases a session by a request",
      method: "POST",
      path: async () => {
        await put("/v1/sessions/gone-1", { userId: "leaver" });
        return "/v1/erasures";
      },
      body: { kind: "session", id: "gone-1", userId: "leaver" },
      writes,
      route: "/v1/erasures",
    },
    {
      does: "erases a session",
      method: "DELETE",
      path: async () => `${await put("/v1/sessions/gone-2", { userId: "leaver" })}?userId=leaver`,
      writes,
      route: "/v1/sessions/{sessionId}",
    },
    {
      does: "erases a source",
      method: "DELETE",
      path: async () => {
        await put("/v1/projects/gone", { userId: "leaver" });
        return `${await put("/v1/sources/gone", { userId: "leaver", projectId: "gone" })}?userId=leaver`;
      },
      writes,
      route: "/v1/sources/{sourceId}",
    },
    {
      does: "erases a project",
      method: "DELETE",
      path: async () => `${await put("/v1/projects/gone", { userId: "leaver" })}?userId=leaver`,
      writes,
      route: "/v1/projects/{projectId}",
    },
    {
      does: "erases a user",
      method: "DELETE",
      path: async () => await put("/v1/users/leaver", {}),
      writes,
      route: "/v1/users/{userId}",
    },
  ];
}

/** Sends what is stored once: documents, parts of imports, a rebuild and an erasure. Returns what sends it again. */
export async function sentOnce(h: Harness): Promise<() => Promise<void>> {
  await h.fetch("PUT", "/v1/projects/once", { body: { userId: "ann" } });
  await remember(h, "Ann borrows tools.", { userId: "borrower" });
  const { lines } = await download(h, "?userId=borrower");
  const chat = await start(h, { sha: "c1", userId: "ann" });
  const ended = await start(h, { sha: "c2", userId: "ann" });
  const edgewise = await start(h, { sha: "c3", userId: "borrower", platform: "edgewise" });
  const conversations = [chatGptConversation("once", ["Is it known?"])];
  const send = async () => {
    const answers = [
      await h.fetch("PUT", "/v1/sources/once", { body: { userId: "ann", projectId: "once", name: "Once" } }),
      await upload(h, { sourceId: "once", path: "a.md", userId: "ann" }, TEXT),
      await h.fetch("POST", "/v1/sources/once/files", { body: { userId: "ann", files: [{ path: "b.md", content: TEXT }] } }),
      await part(h, chat, conversations, { userId: "ann" }),
      await h.fetch("POST", `/v1/imports/${edgewise}/parts`, { body: { userId: "borrower", lines } }),
      await h.fetch("POST", `/v1/imports/${ended}/finish`, { body: { userId: "ann" } }),
      await begin(h, { sha: "c2", userId: "ann" }),
      await h.fetch("POST", "/v1/lifecycle/rebuild", { body: {} }),
      await h.fetch("DELETE", "/v1/users/borrower?dryRun=true"),
      await h.fetch("DELETE", "/v1/projects/once?userId=ann"),
    ];
    for (const { status, text } of answers) expect(status, text).toBeLessThan(300);
  };
  await send();
  return send;
}
