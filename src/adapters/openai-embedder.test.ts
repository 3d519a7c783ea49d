import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cosine, embedderContract } from "#test/embedder-contract";
import { type EmbeddingsServer, type Misbehaviour, startEmbeddingsServer } from "#test/embeddings-server";
import { createOpenAiEmbedder, type OpenAiEmbedderOptions } from "./openai-embedder.ts";

const apiKey = "key-that-nobody-may-read";
const secret = "words that nobody may read";
const dimensions = 64;

let server: EmbeddingsServer;
let waits: number[];

beforeAll(async () => {
  server = await startEmbeddingsServer({ dimensions, apiKey, maxBatch: 64 });
});

afterAll(() => server.close());

beforeEach(() => {
  waits = [];
  server.requests.length = 0;
});

function embedderOf(options: Partial<OpenAiEmbedderOptions> = {}) {
  const pause = async (milliseconds: number) => {
    waits.push(milliseconds);
  };
  return createOpenAiEmbedder({
    url: server.url,
    model: "some-model",
    dimensions,
    apiKey,
    fetch,
    timeoutMs: 60_000,
    pause,
    ...options,
  });
}

embedderContract("OpenAI-compatible server", () => embedderOf());

describe("OpenAI-compatible embedder", () => {
  it("sends batches with the model, the key and the prefix of the purpose", async () => {
    const embedder = embedderOf({ maxBatch: 2, queryPrefix: "query: ", documentPrefix: "passage: " });
    await embedder.embed(["a", "b", "c"], "document");
    await embedder.embed(["d"], "query");
    expect(server.requests.map(({ body }) => body.input).sort()).toEqual([
      ["passage: a", "passage: b"],
      ["passage: c"],
      ["query: d"],
    ]);
    for (const { body, authorization } of server.requests) {
      expect(body.model).toBe("some-model");
      expect(authorization).toBe(`Bearer ${apiKey}`);
    }
  });

  it("takes an address that ends with a slash", async () => {
    expect(await embedderOf({ url: `${server.url}/` }).embed(["a"], "query")).toHaveLength(1);
  });

  it("puts a reply in order by its index, and takes one without index at its order", async () => {
    const embedder = embedderOf();
    const texts = ["first thing", "second matter", "third affair"];
    const expected = await embedder.embed(texts, "document");
    for (const misbehaviour of ["shuffled", "without index"] as const) {
      server.misbehave(misbehaviour);
      expect(await embedder.embed(texts, "document")).toEqual(expected);
    }
    expect(cosine(expected[0] ?? new Float32Array(), expected[1] ?? new Float32Array())).toBeLessThan(0.9);
  });

  it.each<Misbehaviour>([{ status: 429 }, { status: 500 }, { status: 503 }, "hang up"])(
    "tries again after %j",
    async (misbehaviour) => {
      server.misbehave(misbehaviour, misbehaviour);
      expect(await embedderOf().embed(["a"], "query")).toHaveLength(1);
      expect(waits).toHaveLength(2);
      expect(waits[0]).toBeGreaterThanOrEqual(100);
      expect(waits[0]).toBeLessThanOrEqual(200);
      expect(waits[1]).toBeGreaterThanOrEqual(200);
    },
  );

  it("gives up after three attempts", async () => {
    server.misbehave({ status: 500 }, { status: 502 }, { status: 503 });
    await expect(embedderOf().embed(["a"], "query")).rejects.toMatchObject({
      code: "upstream_failed",
      message: expect.stringContaining("503"),
    });
    expect(server.requests).toHaveLength(3);
  });

  it("waits as long as it is asked to, but no longer than ten seconds", async () => {
    server.misbehave({ status: 429, retryAfter: "3" });
    await embedderOf().embed(["a"], "query");
    expect(waits).toEqual([3_000]);
    server.misbehave({ status: 429, retryAfter: "60" });
    await expect(embedderOf().embed(["a"], "query")).rejects.toMatchObject({ code: "upstream_failed", retryAfterSeconds: 60 });
    expect(waits).toEqual([3_000]);
  });

  it("reads no date as a delay", async () => {
    server.misbehave({ status: 503, retryAfter: "Fri, 20 Nov 2026 13:00:00 GMT" });
    await embedderOf().embed(["a"], "query");
    expect(waits[0]).toBeLessThanOrEqual(200);
  });

  it.each(["hang", "hang in body"] as const)("stops waiting for a server that does %s, once", async (misbehaviour) => {
    server.misbehave(misbehaviour);
    const failure = { code: "upstream_failed", message: "The embeddings server did not answer in time." };
    await expect(embedderOf({ timeoutMs: 60 }).embed(["a"], "query")).rejects.toMatchObject(failure);
    expect(server.requests).toHaveLength(1);
  });

  it("says how to correct a wrong dimension", async () => {
    server.misbehave("wrong dimension");
    await expect(embedderOf().embed(["a"], "query")).rejects.toMatchObject({
      code: "misconfigured",
      message: expect.stringMatching(/makes vectors of 3 dimensions, but 64 are configured.*EMBEDDING_DIMENSIONS to 3/),
    });
  });

  it("says how to correct a refused key and a missing path", async () => {
    await expect(embedderOf({ apiKey: "wrong" }).embed(["a"], "query")).rejects.toMatchObject({
      code: "misconfigured",
      message: expect.stringContaining("EMBEDDINGS_API_KEY"),
    });
    await expect(embedderOf({ url: `${server.url}/v2` }).embed(["a"], "query")).rejects.toMatchObject({
      code: "misconfigured",
      message: expect.stringContaining("EMBEDDINGS_URL"),
    });
  });

  it.each<Misbehaviour>([
    { status: 400 },
    { status: 413 },
    "html",
    "no list",
    "short list",
    "no numbers",
    "no direction",
    "one index twice",
  ])("fails without another attempt on %j", async (misbehaviour) => {
    server.misbehave(misbehaviour);
    await expect(embedderOf().embed(["a", "b"], "query")).rejects.toMatchObject({ code: "upstream_failed" });
    expect(server.requests).toHaveLength(1);
  });

  it.each<Misbehaviour>([{ status: 400 }, { status: 500 }, "html", "no list", "short list", "hang up"])(
    "tells neither text nor key nor address when the server does %j",
    async (misbehaviour) => {
      server.misbehave(misbehaviour, misbehaviour, misbehaviour);
      const error = await embedderOf()
        .embed([secret, secret], "query")
        .catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Error);
      const printed = JSON.stringify(error, Object.getOwnPropertyNames(error));
      expect(printed).toContain("upstream_failed");
      for (const hidden of [secret, apiKey, new URL(server.url).host])
        expect(printed.replaceAll(/\\n\s+at .*/g, "")).not.toContain(hidden);
    },
  );

  it("does not repeat an address that cannot be reached", async () => {
    const url = "http://user:password@127.0.0.1:9/v1";
    await expect(embedderOf({ url }).embed([secret], "query")).rejects.toMatchObject({
      code: "upstream_failed",
      message: "The embeddings server could not be reached (TypeError).",
    });
  });
});
