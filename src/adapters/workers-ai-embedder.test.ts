import { describe, expect, it } from "vitest";
import { embedderContract } from "#test/embedder-contract";
import { type AiMisbehaviour, aiError, SimulatedWorkersAi } from "#test/simulated-workers-ai";
import { createWorkersAiEmbedder, type WorkersAiEmbedderOptions } from "./workers-ai-embedder.ts";

const QWEN = "@cf/qwen/qwen3-embedding-0.6b";
const secret = "words that nobody may read";

function embedderOf(options: Partial<WorkersAiEmbedderOptions> = {}, misbehaviours: AiMisbehaviour[] = []) {
  const ai = new SimulatedWorkersAi(misbehaviours);
  return { ai, embedder: createWorkersAiEmbedder({ ai, model: QWEN, dimensions: 1024, pause: async () => {}, ...options }) };
}

embedderContract("Workers AI, Qwen3", () => embedderOf().embedder);
embedderContract("Workers AI, BGE M3", () => embedderOf({ model: "@cf/baai/bge-m3" }).embedder);
embedderContract("Workers AI, BGE English", () => embedderOf({ model: "@cf/baai/bge-small-en-v1.5", dimensions: 384 }).embedder);
embedderContract(
  "Workers AI, another model",
  () => embedderOf({ model: "@cf/pfnet/plamo-embedding-1b", dimensions: 2048 }).embedder,
);

describe("Workers AI embedder", () => {
  it("distinguishes questions and documents for Qwen3", async () => {
    const { ai, embedder } = embedderOf({ instruction: "find memories" });
    await embedder.embed(["a"], "query");
    await embedder.embed(["b"], "document");
    expect(ai.calls).toEqual([
      { model: QWEN, inputs: { queries: ["a"], instruction: "find memories" } },
      { model: QWEN, inputs: { documents: ["b"] } },
    ]);
  });

  it("gives each family its own form", async () => {
    const inputsOf = async (model: string, dimensions: number) => {
      const { ai, embedder } = embedderOf({ model, dimensions });
      await embedder.embed(["a"], "query");
      return ai.calls[0]?.inputs;
    };
    expect(await inputsOf("@cf/baai/bge-m3", 1024)).toEqual({ text: ["a"], truncate_inputs: true });
    expect(await inputsOf("@cf/baai/bge-large-en-v1.5", 1024)).toEqual({ text: ["a"], pooling: "cls" });
    expect(await inputsOf("@cf/pfnet/plamo-embedding-1b", 2048)).toEqual({ text: ["a"] });
  });

  it("names the pooling, because vectors of two kinds do not compare", () => {
    expect(embedderOf({ model: "@cf/baai/bge-large-en-v1.5" }).embedder.model).toBe("@cf/baai/bge-large-en-v1.5+cls@1024");
    expect(embedderOf().embedder.model).toBe(`${QWEN}@1024`);
  });

  it("fills each batch as far as the model takes it", async () => {
    const { ai, embedder } = embedderOf();
    await embedder.embed(
      Array.from({ length: 70 }, (_, i) => `t${i}`),
      "document",
    );
    expect(ai.calls).toHaveLength(3);
  });

  it.each([
    aiError(3040, "Capacity temporarily exceeded"),
    aiError(3043, "Internal server error"),
    new Error("Network connection lost."),
  ])("tries again after: %s", async (error) => {
    const { ai, embedder } = embedderOf({}, [error, error]);
    expect(await embedder.embed(["a"], "query")).toHaveLength(1);
    expect(ai.calls).toHaveLength(3);
  });

  it("gives up after three attempts", async () => {
    const { ai, embedder } = embedderOf({}, Array<Error>(4).fill(aiError(3040, "Capacity temporarily exceeded")));
    await expect(embedder.embed(["a"], "query")).rejects.toMatchObject({
      code: "upstream_failed",
      message: "Workers AI failed (3040).",
    });
    expect(ai.calls).toHaveLength(3);
  });

  it.each([
    [3036, "upstream_failed"],
    [3006, "upstream_failed"],
    [3007, "upstream_failed"],
    [3008, "upstream_failed"],
    [3003, "upstream_failed"],
    [5004, "upstream_failed"],
    [5006, "upstream_failed"],
    [5007, "misconfigured"],
    [3042, "misconfigured"],
    [3023, "misconfigured"],
    [5016, "misconfigured"],
    [5035, "misconfigured"],
  ])("does not repeat what %i refuses, and tells no text", async (number, code) => {
    const { ai, embedder } = embedderOf({}, [aiError(number, `refused: ${secret}`)]);
    const error = await embedder.embed([secret], "query").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code, message: expect.stringContaining(String(number)) });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(secret);
    expect(ai.calls).toHaveLength(1);
  });

  it("finds the code behind the name that some runtimes put before it", async () => {
    const { embedder } = embedderOf({}, [
      new Error("AiError: 3036: you have used up your daily free allocation of 10,000 neurons"),
    ]);
    await expect(embedder.embed(["a"], "query")).rejects.toMatchObject({ message: expect.stringContaining("00:00 UTC") });
  });

  it("stops waiting, once", async () => {
    const { ai, embedder } = embedderOf({ timeoutMs: 20 }, ["hang"]);
    await expect(embedder.embed(["a"], "query")).rejects.toMatchObject({ message: "Workers AI did not answer in time." });
    expect(ai.calls).toHaveLength(1);
  });

  it("says how to correct a wrong dimension", async () => {
    await expect(embedderOf({ dimensions: 512 }).embedder.embed(["a"], "query")).rejects.toMatchObject({
      code: "misconfigured",
      message: expect.stringMatching(/makes vectors of 1024 dimensions, but 512 are configured/),
    });
  });

  it.each([
    undefined,
    null,
    "text",
    {},
    { data: "AAAA" },
    { data: [] },
    { shape: [2, 1024], data: [[1]] },
    { data: [null] },
    { request_id: "r" },
  ])("refuses a reply that is no list of vectors: %j", async (reply) => {
    const { embedder } = embedderOf({}, [{ reply }]);
    await expect(embedder.embed(["a"], "query")).rejects.toMatchObject({ code: "upstream_failed" });
  });
});
