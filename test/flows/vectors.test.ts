import { beforeEach, describe, expect, it } from "vitest";
import { createLexicalEmbedder } from "#adapters/lexical-embedder";
import type { Services } from "#context";
import { backOffMs } from "#domain/jobs";
import { sweep, work } from "#domain/lifecycle";
import { createHarness, type Harness } from "#test/harness";
import { settings } from "./extraction-requests.ts";
import { append, find, history, jobsOf, nth, rows, say, textsOf } from "./requests.ts";

const TEXT = "the saxophone is at the repair shop";
const userId = "ann";

let skipMs = 0;
let replaced: Partial<Services> = {};
/** What happens to the world while a text is being embedded. */
let meanwhile: (() => Promise<unknown>) | null = null;
let h: Harness;

beforeEach(async () => {
  await rows("delete from jobs");
  [skipMs, replaced, meanwhile] = [0, {}, null];
  h = await createHarness({
    replace: ({ embedder }) => ({
      now: () => Date.now() + skipMs,
      log: () => undefined,
      embedder: {
        ...embedder,
        embed: async (texts, purpose) => {
          const values = await embedder.embed(texts, purpose);
          const happens = meanwhile;
          meanwhile = null;
          await happens?.();
          return values;
        },
      },
      ...replaced,
    }),
  });
  await settings(h, { extraction: "off" });
  await h.fetch("PUT", "/v1/projects/music", { body: { userId } });
  await h.fetch("PUT", "/v1/projects/other", { body: { userId } });
});

const move = (projectId: string | null) => h.fetch("PUT", "/v1/sessions/band", { body: { userId, projectId } });
const byMeaning = async (projectId?: string) =>
  textsOf(
    await find(h, "saxophone repair", {
      userId,
      strategy: "semantic",
      cut: true,
      ...(projectId === undefined ? {} : { projectId }),
    }),
  );

/** Every vector of the tenant, by the project that it is tagged with. */
async function storedVectors(project?: number): Promise<number> {
  const { embedder, vectors } = h.services();
  const [vector] = await embedder.embed([TEXT], "query");
  const spaces = await rows<{ id: number }>("select id from spaces where tenant_id = ?", h.tenantId);
  const query = { vector: nth([vector ?? new Float32Array()], 0), spaces: spaces.map(({ id }) => id), topK: 100 };
  return (await vectors.query(h.tenantId, { ...query, filter: project === undefined ? {} : { project } })).length;
}

async function runJobsOfKind(kind: string): Promise<void> {
  const due = await rows<{ jobId: string }>("select id as jobId from jobs where tenant_id = ? and kind = ?", h.tenantId, kind);
  await work(
    h.services(),
    due.map(({ jobId }) => ({ tenantId: h.tenantId, jobId })),
  );
}

async function projectIdOf(externalId: string): Promise<number> {
  const [row] = await rows<{ id: number }>(
    "select id from projects where tenant_id = ? and external_id = ?",
    h.tenantId,
    externalId,
  );
  return row?.id ?? -1;
}

describe("a session that moves", () => {
  it("is found in its new place at once, and no more in the old, before its vectors are tagged and after", async () => {
    await say(h, "band", TEXT, { userId });
    await h.settle();
    expect([await byMeaning(), await byMeaning("music")]).toEqual([[TEXT], []]);

    await move("music");
    expect([await byMeaning(), await byMeaning("music")]).toEqual([[], [TEXT]]);
    await h.settle();
    expect([await byMeaning(), await byMeaning("music"), await storedVectors(await projectIdOf("music"))]).toEqual([
      [],
      [TEXT],
      1,
    ]);

    await move(null);
    expect([await byMeaning(), await byMeaning("music")]).toEqual([[TEXT], []]);
    await h.settle();
    expect([await byMeaning(), await byMeaning("music"), await storedVectors(0)]).toEqual([[TEXT], [], 1]);
  });

  it("twice before the first job has run ends with the tag of the last", async () => {
    await say(h, "band", TEXT, { userId });
    await h.settle();
    await move("music");
    await move("other");
    expect([await byMeaning("music"), await byMeaning("other")]).toEqual([[], [TEXT]]);
    await h.settle();
    expect([await storedVectors(await projectIdOf("other")), await storedVectors()]).toEqual([1, 1]);
    expect(
      await rows(
        "select tagged_project_id - project_id as behind from sessions where external_id = 'band' and tenant_id = ?",
        h.tenantId,
      ),
    ).toEqual([{ behind: 0 }]);
  });

  it("again while its vectors are being tagged stays found until the last job has run", async () => {
    await say(h, "band", TEXT, { userId });
    await h.settle();
    await move("music");
    const { vectors } = h.services();
    replaced = {
      vectors: {
        ...vectors,
        retag: async (...args) => {
          replaced = {};
          await move("other");
          await vectors.retag(...args);
        },
      },
    };
    const [first] = await rows<{ jobId: string }>("select id as jobId from jobs where kind = 'session.retag'");
    await work(h.services(), [{ tenantId: h.tenantId, jobId: first?.jobId ?? "" }]);
    expect([await storedVectors(await projectIdOf("music")), await byMeaning("music"), await byMeaning("other")]).toEqual([
      1,
      [],
      [TEXT],
    ]);
    await h.settle();
    expect([await storedVectors(await projectIdOf("other")), await byMeaning("other")]).toEqual([1, [TEXT]]);
  });

  it("while its words are being embedded ends with the right tag", async () => {
    await say(h, "band", TEXT, { userId });
    meanwhile = async () => {
      await move("music");
      await runJobsOfKind("session.retag");
    };
    await h.settle();
    expect([await storedVectors(await projectIdOf("music")), await storedVectors()]).toEqual([1, 1]);
    expect([await byMeaning(), await byMeaning("music")]).toEqual([[], [TEXT]]);
  });

  it("while its words are being embedded is tagged right in the end, though the first try at it fails", async () => {
    await say(h, "band", TEXT, { userId });
    const { vectors } = h.services();
    let upserts = 0;
    const failsSecond = {
      ...vectors,
      upsert: async (...args: Parameters<typeof vectors.upsert>) => {
        upserts += 1;
        if (upserts === 2) throw new Error("not now");
        await vectors.upsert(...args);
      },
    };
    replaced = { vectors: failsSecond };
    meanwhile = async () => {
      await move("music");
      await runJobsOfKind("session.retag");
    };
    await sweep(h.services());
    expect((await jobsOf(h)).filter(({ status }) => status === "pending")).toHaveLength(1);
    skipMs = backOffMs(1) + 1_000;
    await sweep(h.services());
    expect([await storedVectors(await projectIdOf("music")), await storedVectors()]).toEqual([1, 1]);
  });
});

it("an episode that is forgotten while it is being embedded leaves no vector", async () => {
  const { json } = await say(h, "band", TEXT, { userId });
  meanwhile = async () => {
    await h.fetch("DELETE", `/v1/sessions/band/episodes/${json.id}?userId=${userId}`);
    await runJobsOfKind("vectors.remove");
  };
  await h.settle();
  expect([await storedVectors(), await byMeaning()]).toEqual([0, []]);
});

describe("another model", () => {
  // The very same vectors under another name: nothing but the name can keep them apart.
  const another = { ...createLexicalEmbedder(), model: "another@512", nature: "semantic" as const };
  const indexed = async (query = "&limit=100") =>
    (await history(h, "long", `?userId=${userId}${query}`)).json.items.map((episode) => episode.indexed.vector);
  const lessons = (from: number, until: number) => ({
    userId,
    episodes: Array.from({ length: until - from }, (_, i) => ({
      messages: [{ role: "user", content: `saxophone lesson number ${from + i}` }],
    })),
  });

  it("is noticed by the sweep, embeds everything anew, step by step, and is never ranked with the old", async () => {
    await append(h, "long", lessons(0, 100));
    await append(h, "long", lessons(100, 104));
    await h.settle();
    await sweep(h.services());
    expect([await indexed(), await storedVectors()]).toMatchObject([Array.from({ length: 100 }, () => true), 100]);

    replaced = { embedder: another };
    expect([(await indexed()).includes(true), await byMeaning()]).toEqual([false, []]);
    expect((await find(h, "saxophone", { userId })).json.hits.length).toBeGreaterThan(0);

    expect(await sweep(h.services())).toMatchObject({ modelChanged: true });
    expect([await indexed(), await indexed("&order=desc&limit=4")]).toEqual([
      Array.from({ length: 100 }, () => true),
      [false, false, false, false],
    ]);
    expect((await byMeaning()).length).toBeGreaterThan(0);
    const { json } = await find(h, "saxophone lesson number 103", { userId, strategy: "semantic", limit: 100, maxTokens: 8000 });
    expect(json.hits.map(({ content }) => content)).not.toContain("saxophone lesson number 103");

    await h.settle();
    expect(await indexed("&order=desc&limit=4")).toEqual([true, true, true, true]);
    expect(nth(textsOf(await find(h, "saxophone lesson number 103", { userId, strategy: "semantic" })), 0)).toBe(
      "saxophone lesson number 103",
    );
    expect(await sweep(h.services())).toMatchObject({ modelChanged: false, jobs: 0 });
  });
});
