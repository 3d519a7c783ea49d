import { beforeEach, describe, expect, it } from "vitest";
import type { Services } from "#context";
import type { ErasureView } from "#domain/erasures";
import { work } from "#domain/lifecycle";
import { makeSource, upload, uploadsOf } from "#test/document-requests";
import { createHarness, type Harness } from "#test/harness";
import { aroundBatches } from "#test/interruption";
import { chatGptConversation, part, start } from "./import-requests.ts";
import { nth, rows, say } from "./requests.ts";

const LEASE_MS = 130_000;
const MARKDOWN = "# Trains\n\nThe sleeper to Lisbon leaves at nine.\n";

let replace: (composed: Services) => Partial<Services>;
let skipMs = 0;
let h: Harness;

beforeEach(async () => {
  [replace, skipMs] = [() => ({}), 0];
  const now = () => Date.now() + skipMs;
  h = await createHarness({ replace: (composed) => ({ log: () => undefined, now, ...replace(composed) }) });
});

/** Something that a test holds back and lets go. */
function gate() {
  const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  return {
    reached: reached.promise,
    open: () => opened.resolve(),
    pass: async () => {
      reached.resolve();
      await opened.promise;
    },
  };
}

type Index = Services["vectors"];

/** An index that cannot list, as Vectorize. */
function withoutList({ list: _list, ...index }: Index): Index {
  return index;
}

/** Services of an isolate that stores its vectors behind the gate, and then ends. */
function endingAfter({ pass }: ReturnType<typeof gate>, asIndex = (index: Index) => index) {
  return ({ vectors }: Services): Partial<Services> => ({
    vectors: {
      ...asIndex(vectors),
      upsert: async (...args) => {
        await pass();
        await vectors.upsert(...args);
        throw new Error("The isolate ended.");
      },
    },
  });
}

/** Calls it once. */
function once(event: () => Promise<unknown>): () => Promise<void> {
  let isDone = false;
  return async () => {
    if (isDone) return;
    isDone = true;
    await event();
  };
}

async function run(...kinds: string[]): Promise<void> {
  const jobs = await rows<{ jobId: string }>(
    "select id as jobId from jobs where tenant_id = ?1 and status <> 'done' and kind in (select value from json_each(?2))",
    h.tenantId,
    JSON.stringify(kinds),
  );
  await work(
    h.services(),
    jobs.map(({ jobId }) => ({ tenantId: h.tenantId, jobId })),
  );
}

async function begin(path: string): Promise<string> {
  const { status, json, text } = await h.fetch<ErasureView>("DELETE", path, { user: null });
  expect(status, text).toBe(202);
  return json.id ?? "";
}

const read = async (id: string) => (await h.fetch<ErasureView>("GET", `/v1/erasures/${id}`)).json;

/** Runs the erasure to its end; leases run out in between. */
async function end(id: string): Promise<ErasureView> {
  for (let times = 0; times < 12 && (await read(id)).finishedAt === null; times += 1) {
    skipMs += LEASE_MS;
    await run("erasures.run");
  }
  return await read(id);
}

const countsOf = ({ stores }: ErasureView, name: string) => {
  const store = stores.find((one) => one.store === name);
  return [store?.before, store?.deleted, store?.remaining];
};

async function vectorsIn(space: number): Promise<string[]> {
  return (await h.services().vectors.list?.(h.tenantId, space, { after: null, limit: 1_000 }))?.ids ?? [];
}

async function spaceOf(table: "sources" | "users" | "sessions"): Promise<number> {
  return nth(await rows<{ space: number }>(`select space_id as space from ${table} where tenant_id = ?`, h.tenantId), 0).space;
}

const numberOf = async (query: string) => nth(await rows<{ n: number }>(query, h.tenantId), 0).n;

describe("a source that is erased while a file of it is embedded", () => {
  let space = 0;
  beforeEach(async () => {
    await makeSource(h, "handbook");
    space = await spaceOf("sources");
    await upload(h, { sourceId: "handbook", path: "a.md" }, MARKDOWN);
    await run("files.read");
  });

  it("leaves no vector that came between its removal and that of the rows", async () => {
    const embedding = gate();
    let done: Promise<void> = Promise.resolve();
    const meanwhile = once(async () => {
      embedding.open();
      await done;
    });
    replace = ({ vectors }) => ({
      vectors: {
        ...vectors,
        upsert: async (...args) => {
          await embedding.pass();
          await vectors.upsert(...args);
        },
        remove: async (...args) => {
          await vectors.remove(...args);
          await meanwhile();
        },
      },
    });
    done = run("chunks.index");
    await embedding.reached;
    const id = await begin("/v1/sources/handbook");
    await run("erasures.run");
    expect(await vectorsIn(space)).toHaveLength(1);
    const erasure = await end(id);
    expect([erasure.status, await vectorsIn(space)]).toEqual(["finished", []]);
    expect(countsOf(erasure, "vectors")).toEqual([1, 1, 0]);
  });

  it.each(["lists", "cannot list"])(
    "leaves no vector that came after the rows had gone, from an isolate that ended, in an index that %s",
    async (kind) => {
      const embedding = gate();
      replace = endingAfter(embedding, kind === "lists" ? (index) => index : withoutList);
      const done = run("chunks.index");
      await embedding.reached;
      const id = await begin("/v1/sources/handbook");
      await run("erasures.run");
      embedding.open();
      await done;
      const erasure = await end(id);
      replace = () => ({});
      expect([erasure.status, await vectorsIn(space)]).toEqual(["finished", []]);
      expect(countsOf(erasure, "vectors")).toEqual([1, 1, 0]);
    },
  );

  it("waits for a job that is not about it, and embeds its passages all the same", async () => {
    await rows(
      "update jobs set kind = 'chunks.reembed', payload = '{}' where tenant_id = ? and kind = 'chunks.index'",
      h.tenantId,
    );
    const embedding = gate();
    replace = endingAfter(embedding);
    const done = run("chunks.reembed");
    await embedding.reached;
    const id = await begin("/v1/sources/handbook");
    await run("erasures.run");
    expect((await read(id)).finishedAt).toBeNull();
    embedding.open();
    await done;
    const erasure = await end(id);
    expect([erasure.status, await vectorsIn(space)]).toEqual(["finished", []]);
  });

  it("counts the vectors of passages that were replaced and whose removal is still to come", async () => {
    await run("chunks.index");
    await upload(h, { sourceId: "handbook", path: "a.md" }, MARKDOWN.replace("nine", "ten"));
    await run("files.read");
    await run("chunks.index");
    expect(await vectorsIn(space)).toHaveLength(2);
    replace = ({ vectors }) => ({ vectors: withoutList(vectors) });
    const erasure = await end(await begin("/v1/sources/handbook"));
    replace = () => ({});
    expect([erasure.status, await vectorsIn(space)]).toEqual(["finished", []]);
    expect(countsOf(erasure, "vectors")).toEqual([2, 2, 0]);
  });
});

describe("a source that is erased while a file of it is read", () => {
  it("leaves no passage, no word and no vector of what was stored meanwhile", async () => {
    await makeSource(h, "handbook");
    const space = await spaceOf("sources");
    await upload(h, { sourceId: "handbook", path: "a.md" }, MARKDOWN);
    const reading = gate();
    let done: Promise<void> = Promise.resolve();
    const meanwhile = once(async () => {
      reading.open();
      await done;
      await run("chunks.index");
    });
    replace = ({ files }) => ({
      files: {
        ...files,
        get: async (key) => {
          const bytes = await files.get(key);
          await reading.pass();
          return bytes;
        },
        list: async (...args) => {
          await meanwhile();
          return await files.list(...args);
        },
      },
    });
    done = run("files.read");
    await reading.reached;
    const id = await begin("/v1/sources/handbook");
    await run("erasures.run");
    const erasure = await end(id);
    expect([erasure.status, await vectorsIn(space), await uploadsOf(h)]).toEqual(["finished", [], []]);
    expect(await rows("select id from chunk_fts_docsize")).toEqual([]);
    expect(await numberOf("select count(*) as n from chunks where tenant_id = ?")).toBe(0);
    for (const store of ["chunks", "chunk_fts", "files", "sources"])
      expect([store, ...countsOf(erasure, store)]).toEqual([store, 1, 1, 0]);
  });
});

describe("a source that is erased while a file of it is uploaded", () => {
  beforeEach(() => makeSource(h, "handbook"));

  it("leaves no bytes that came before its end, and the upload is refused", async () => {
    const uploading = gate();
    replace = ({ files }) => ({
      files: {
        ...files,
        put: async (...args) => {
          await files.put(...args);
          await uploading.pass();
        },
      },
    });
    const answer = upload(h, { sourceId: "handbook", path: "a.md" }, MARKDOWN);
    await uploading.reached;
    const erasure = await end(await begin("/v1/sources/handbook"));
    expect([erasure.status, await uploadsOf(h)]).toEqual(["finished", []]);
    expect(countsOf(erasure, "uploads")).toEqual([1, 1, 0]);
    uploading.open();
    expect((await answer).status).toBe(404);
    expect([await uploadsOf(h), await numberOf("select count(*) as n from files where tenant_id = ?")]).toEqual([[], 0]);
  });

  it("leaves no bytes that come after its end", async () => {
    const uploading = gate();
    replace = ({ files }) => ({
      files: {
        ...files,
        put: async (...args) => {
          await uploading.pass();
          await files.put(...args);
        },
      },
    });
    const answer = upload(h, { sourceId: "handbook", path: "a.md" }, MARKDOWN);
    await uploading.reached;
    const erasure = await end(await begin("/v1/sources/handbook"));
    expect(countsOf(erasure, "uploads")).toEqual([0, 0, 0]);
    uploading.open();
    expect([(await answer).status, await uploadsOf(h)]).toEqual([404, []]);
  });

  it("finds a file whose row is stored after those of the others have gone", async () => {
    await upload(h, { sourceId: "handbook", path: "first.md" }, MARKDOWN);
    const uploading = gate();
    let answer: Promise<{ status: number }> = Promise.resolve({ status: 0 });
    const meanwhile = once(async () => {
      uploading.open();
      await answer;
    });
    replace = ({ files }) => ({
      files: {
        ...files,
        put: async (...args) => {
          await files.put(...args);
          await uploading.pass();
        },
        remove: async (keys) => {
          await files.remove(keys);
          if (keys.length > 0) await meanwhile();
        },
      },
    });
    answer = upload(h, { sourceId: "handbook", path: "a.md" }, MARKDOWN);
    await uploading.reached;
    const erasure = await end(await begin("/v1/sources/handbook"));
    expect((await answer).status).toBe(201);
    expect([erasure.status, await uploadsOf(h)]).toEqual(["finished", []]);
    expect(countsOf(erasure, "files")).toEqual([2, 2, 0]);
    expect(countsOf(erasure, "uploads")).toEqual([2, 2, 0]);
    expect(await numberOf("select count(*) as n from jobs where tenant_id = ? and kind = 'files.read'")).toBe(0);
  });
});

describe("what is embedded while it is erased", () => {
  /** Holds the next vectors of a job back until the erasure has removed the rows; then the job's isolate ends. */
  async function embedLate(kind: string, path: string): Promise<ErasureView> {
    const embedding = gate();
    replace = endingAfter(embedding);
    const done = run(kind);
    await embedding.reached;
    const id = await begin(path);
    await run("erasures.run");
    embedding.open();
    await done;
    replace = () => ({});
    return await end(id);
  }

  it("an episode of a session that goes leaves no vector in its user's space", async () => {
    await say(h, "chat", "I live in Lisbon.", { userId: "ann" });
    const space = await spaceOf("users");
    const erasure = await embedLate("episodes.index", "/v1/sessions/chat?userId=ann");
    expect([erasure.status, await vectorsIn(space)]).toEqual(["finished", []]);
  });

  it("a memory of a user leaves no vector", async () => {
    await h.fetch("POST", "/v1/memories", { body: { userId: "ann", content: "I keep lemurs" } });
    const space = await spaceOf("users");
    const erasure = await embedLate("memories.index", "/v1/users/ann");
    expect([erasure.status, await vectorsIn(space)]).toEqual(["finished", []]);
  });

  it("a memory of another about the user, which goes too, leaves no vector in that one's space", async () => {
    await say(h, "chat", "Hello.", { userId: "ann" });
    await h.settle();
    const me = await h.fetch<{ id: string }>("GET", "/v1/people/me?userId=ann");
    await h.fetch("POST", "/v1/memories", {
      body: { userId: "ben", content: "She plays the cello", subjects: [me.json.id] },
    });
    const { space } = nth(
      await rows<{ space: number }>(
        "select space_id as space from users where tenant_id = ? and external_id = 'ben'",
        h.tenantId,
      ),
      0,
    );
    const erasure = await embedLate("memories.index", "/v1/users/ann?aboutOthers=erase");
    expect([erasure.status, await vectorsIn(space)]).toEqual(["finished", []]);
  });

  it("words in a group leave no vector, whoever sent them, once the group is embedded anew", async () => {
    await h.fetch("PUT", "/v1/sessions/crew", { body: { userId: "ben", participants: ["ann", "ben"] } });
    const messages = [
      { role: "user", content: "My hobby is zebrafishing", userId: "ann" },
      { role: "user", content: "I like walrusing", userId: "ben" },
    ];
    await h.fetch("POST", "/v1/sessions/crew/episodes", { body: { userId: "ben", messages } });
    const embedding = gate();
    const stored = new Map<string, Float32Array>();
    const isHeld = { now: true };
    replace = ({ vectors }) => ({
      vectors: {
        ...vectors,
        upsert: async (tenantId, items) => {
          if (isHeld.now) {
            isHeld.now = false;
            await embedding.pass();
          }
          await vectors.upsert(tenantId, items);
          for (const { id, values } of items) stored.set(id, values);
        },
      },
    });
    const done = run("episodes.index");
    await embedding.reached;
    const id = await begin("/v1/users/ann");
    await run("erasures.run");
    await run("episodes.index");
    embedding.open();
    await done;
    const erasure = await end(id);
    await run("episodes.index");
    expect(erasure.status).toBe("finished");
    const [hidden] = await h.services().embedder.embed(["[…]"], "document");
    const [first] = [...stored.keys()].toSorted();
    expect(stored.get(first ?? "")?.join()).toBe(hidden?.join());
  });
});

describe("an episode that is appended to a session after its others have gone", () => {
  it("leaves no row, no word and no vector", async () => {
    await say(h, "chat", "I live in Lisbon.", { userId: "ann" });
    await h.settle();
    const space = await spaceOf("users");
    let isLooking = false;
    const late = once(async () => {
      // As a request does that has read the session before.
      await say(h, "chat", "I keep lemurs.", { userId: "ann" });
      await run("episodes.index");
    });
    const isGone = async () => (await numberOf("select count(*) as n from episodes where tenant_id = ?")) === 0;
    replace = ({ db }) => ({
      db: aroundBatches(db, async (send) => {
        if (isLooking) return await send();
        isLooking = true;
        if (await isGone()) await late();
        isLooking = false;
        return await send();
      }),
    });
    const erasure = await end(await begin("/v1/sessions/chat?userId=ann"));
    expect([erasure.status, await vectorsIn(space)]).toEqual(["finished", []]);
  });
});

describe("a user who is made anew while the erasure of the earlier one waits for jobs", () => {
  it("is erased by a second request, which is not answered with the first", async () => {
    await say(h, "chat", "I live in Lisbon.", { userId: "ann" });
    await rows(
      "update jobs set status = 'running', due_at = ? where tenant_id = ? and kind = 'episodes.index'",
      Date.now() + LEASE_MS,
      h.tenantId,
    );
    const first = await begin("/v1/users/ann");
    await run("erasures.run");
    expect((await read(first)).finishedAt).toBeNull();
    await say(h, "chat", "I keep lemurs.", { userId: "ann" });
    const second = await begin("/v1/users/ann");
    expect(await begin("/v1/users/ann")).toBe(second);
    expect([(await end(first)).status, (await end(second)).status]).toEqual(["finished", "finished"]);
    expect(await numberOf("select count(*) as n from episodes where tenant_id = ?")).toBe(0);
    expect((await h.fetch("GET", "/v1/users/ann", { user: null })).status).toBe(404);
  });
});

describe("a group whose last two participants are erased at once", () => {
  it("goes whole, also if somebody else who left it had opened it", async () => {
    await h.fetch("PUT", "/v1/sessions/crew", { body: { userId: "eve", participants: ["eve", "ann", "ben"] } });
    const messages = [
      { role: "user", content: "I am ill", userId: "ann" },
      { role: "user", content: "So am I", userId: "ben" },
      { role: "assistant", content: "Ann and Ben are ill." },
    ];
    await h.fetch("POST", "/v1/sessions/crew/episodes", { body: { userId: "ann", messages } });
    await h.fetch("PUT", "/v1/sessions/crew", { body: { userId: "eve", participants: ["ann", "ben"] } });
    await h.settle();
    replace = () => ({ trustMs: 15_000 });
    const ids = [await begin("/v1/users/ann"), await begin("/v1/users/ben")];
    await run("erasures.run");
    for (const id of ids) expect((await end(id)).status).toBe("finished");
    expect(await numberOf("select count(*) as n from episodes where tenant_id = ?")).toBe(0);
    expect(await numberOf("select count(*) as n from sessions where tenant_id = ?")).toBe(0);
  });
});

describe("a user who is erased while a part of their import is stored", () => {
  it("is not made anew by it", async () => {
    const id = await start(h, { sha: "aa", userId: "ann" });
    let erasure = "";
    const meanwhile = once(async () => {
      erasure = await begin("/v1/users/ann");
      await end(erasure);
    });
    replace = ({ db }) => ({
      db: aroundBatches(db, async (send) => {
        const results = await send();
        await meanwhile();
        return results;
      }),
    });
    const answer = await part(h, id, [chatGptConversation("c1", ["I keep lemurs.", "Noted."])], { userId: "ann" });
    replace = () => ({});
    expect(answer.json.items).toMatchObject([{ outcome: "failed", messages: 0 }]);
    expect((await read(erasure)).status).toBe("finished");
    expect((await h.fetch("GET", "/v1/users/ann", { user: null })).status).toBe(404);
    expect(await numberOf("select count(*) as n from episodes where tenant_id = ?")).toBe(0);
  });
});
