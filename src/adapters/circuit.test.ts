import { beforeEach, describe, expect, it } from "vitest";
import { AppError, misconfigured, Unavailable } from "#core/errors";
import type { ChatReply, ChatRequest } from "#ports/chat-model";
import type { VectorItem, VectorQuery, VectorRef } from "#ports/vector-index";
import { type Circuit, createCircuit, createCircuits } from "./circuit.ts";
import { guardChat, guardEmbedder, guardUpstream, guardVectors } from "./guarded.ts";
import { createLexicalEmbedder } from "./lexical-embedder.ts";

let now = 0;
let calls = 0;
let circuit: Circuit;
beforeEach(() => {
  [now, calls] = [1_000_000, 0];
  circuit = createCircuit({ dependency: "embedder", now: () => now, random: () => 1 });
});

const fails = (failure: () => Error = () => new Unavailable("No.")) =>
  circuit
    .run(async () => {
      calls += 1;
      throw failure();
    })
    .catch((error: unknown) => error);
const answers = () =>
  circuit.run(async () => {
    calls += 1;
    return "well";
  });

describe("a circuit breaker", () => {
  it("opens after three failures in a row, and calls nothing then", async () => {
    for (const isOpen of [false, false, true]) {
      expect(await fails()).toMatchObject({ code: "upstream_failed", dependency: "embedder", isOpen });
    }
    await expect(answers()).rejects.toMatchObject({ isOpen: true, retryAfterSeconds: 1 });
    expect([calls, circuit.state()]).toEqual([3, { state: "open", failingSince: 1_000_000, nextTryAt: 1_001_000 }]);
  });

  it("counts anew after each answer, and a refusal is an answer", async () => {
    for (const settle of [answers, () => fails(() => misconfigured("A wrong key."))]) {
      for (let i = 0; i < 2; i++) await fails();
      await settle();
      expect(circuit.state()).toEqual({ state: "closed", failingSince: null, nextTryAt: null });
    }
    for (let i = 0; i < 2; i++) await fails();
    await fails(() => new Error("ours"));
    expect(circuit.state().state).toBe("closed");
  });

  it("lets one call through after a pause that doubles up to 45 s, and an answer closes it", async () => {
    for (let i = 0; i < 3; i++) await fails();
    const pauses: number[] = [];
    for (let i = 0; i < 9; i++) {
      const { nextTryAt } = circuit.state();
      pauses.push((nextTryAt ?? 0) - now);
      now = nextTryAt ?? 0;
      await Promise.all([fails(), fails(), fails()]);
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 45, 45, 45].map((seconds) => seconds * 1_000));
    expect(calls).toBe(3 + 9);
    now += 45_000;
    expect(await answers()).toBe("well");
    expect(circuit.state().state).toBe("closed");
    for (let i = 0; i < 3; i++) await fails();
    expect((circuit.state().nextTryAt ?? 0) - now).toBe(1_000);
  });

  it("is not held open by a trial whose request is gone", async () => {
    for (let i = 0; i < 3; i++) await fails();
    now += 1_000;
    void circuit.run(() => new Promise(() => undefined));
    await expect(answers()).rejects.toMatchObject({ isOpen: true });
    now += 60_000;
    expect(await answers()).toBe("well");
  });

  it("waits as long as the server asks for, ten minutes at most", async () => {
    for (const [asked, waited] of [
      [30, 30],
      [86_400, 600],
    ]) {
      circuit = createCircuit({ dependency: "chatModel", now: () => now, random: () => 1 });
      await fails(() => new Unavailable("Too many.", { retryAfterSeconds: asked }));
      expect((circuit.state().nextTryAt ?? 0) - now).toBe((waited ?? 0) * 1_000);
    }
  });

  it("takes no notice of calls that began before it opened and fail later", async () => {
    const late = Promise.withResolvers<never>();
    const begun = circuit.run(() => late.promise).catch(() => undefined);
    for (let i = 0; i < 3; i++) await fails();
    const { nextTryAt } = circuit.state();
    late.reject(new Unavailable("No."));
    await begun;
    expect(circuit.state().nextTryAt).toBe(nextTryAt);
  });
});

describe("guarded ports", () => {
  const guard = () => ({ circuits: createCircuits({ now: () => now, random: () => 1 }), searchLimitMs: 10 });

  it("a search's question is late after its limit, and the work that can wait goes on", async () => {
    const slow = { ...createLexicalEmbedder(), embed: () => new Promise<never>(() => undefined) };
    const guarded = guardEmbedder(slow, guard());
    for (const isOpen of [false, false, true])
      await expect(guarded.embed(["x"], "query")).rejects.toMatchObject({ kind: "timeout", isOpen });
    await expect(guarded.embed(["x"], "query")).rejects.toMatchObject({ isOpen: true, message: "The embedder does not answer." });
    const working = guarded.embed(["x"], "document").then(
      () => "ended",
      () => "ended",
    );
    expect(await Promise.race([working, new Promise((resolve) => setTimeout(() => resolve("goes on"), 30))])).toBe("goes on");
  });

  it.each(["fails at once", "hangs"])(
    "one user's questions on which an embedder %s take semantic search from nobody",
    async (how) => {
      let asked = 0;
      const embedder = createLexicalEmbedder();
      const embed: typeof embedder.embed = async (texts, purpose) => {
        asked += 1;
        if (!texts.some((text) => text.includes("poison"))) return await embedder.embed(texts, purpose);
        if (how === "hangs") return await new Promise(() => undefined);
        throw new Unavailable("The embeddings server answered 500.");
      };
      const guarded = guardEmbedder({ ...embedder, embed }, guard());
      for (let i = 0; i < 12; i++) {
        await expect(guarded.embed([`poison ${i}`], "query")).rejects.toMatchObject({ isOpen: false });
        if (i % 4 === 3) expect(await guarded.embed([`a good question ${i}`], "query")).toHaveLength(1);
        now += 500;
      }
      // Each third failure in a row is followed by one neutral text.
      expect(asked).toBeLessThanOrEqual(12 + 3 + 6);
    },
  );

  it("a server that is dead is called by three, tried with a neutral text, and spared; back again, it is found by such a text", async () => {
    const asked: string[] = [];
    let isDead = true;
    const embedder = createLexicalEmbedder();
    const embed: typeof embedder.embed = async (texts, purpose) => {
      asked.push(...texts);
      if (isDead || texts.includes("poison")) throw new Unavailable("No.");
      return await embedder.embed(texts, purpose);
    };
    const guarded = guardEmbedder({ ...embedder, embed }, guard());
    const ask = (text: string) => guarded.embed([text], "query").catch((error: unknown) => error);
    for (let i = 0; i < 9; i++) await ask("poison");
    expect(asked.toSorted()).toEqual(["neutral", "poison", "poison", "poison"]);
    now += 1_000;
    await ask("poison");
    await ask("poison");
    expect(asked.slice(4)).toEqual(["neutral"]);
    isDead = false;
    now += 2_000;
    // The trial is not the caller's own text: even one that fails leaves the way free for the others.
    expect(await ask("poison")).toMatchObject({ isOpen: false });
    expect(await ask("good")).toHaveLength(1);
  });

  it("a space whose part of the index fails takes the vectors of no other space", async () => {
    const part = async (space: number | undefined) => {
      if (space === 7) throw new Unavailable("The vectors of a space could not be reached.");
    };
    const index = {
      settlesAfterMs: 0,
      upsert: async (_: number, [item]: readonly VectorItem[]) => await part(item?.metadata.space),
      query: async (_: number, { spaces }: VectorQuery) => {
        await part(spaces[0]);
        return [];
      },
      remove: async (_: number, [ref]: readonly VectorRef[]) => await part(ref?.space),
      retag: async () => undefined,
      stored: async () => [],
    };
    const guarded = guardVectors(index, { ...guard(), model: "m", dimensions: 4 });
    const vector = new Float32Array(4);
    const query = (space: number) => guarded.query(1, { vector, spaces: [space], filter: {}, topK: 1 });
    for (let i = 0; i < 7; i++) {
      await expect(query(7)).rejects.toMatchObject({ isOpen: false });
      await expect(guarded.remove(1, [{ id: "x", space: 7 }])).rejects.toMatchObject({ isOpen: false });
    }
    expect(await query(8)).toEqual([]);
    await guarded.remove(2, [{ id: "x", space: 8 }]);
  });

  it("a chat model that fails on one text is there for others", async () => {
    const complete = async ({ messages }: ChatRequest): Promise<ChatReply> => {
      if (messages.some(({ content }) => content === "poison")) throw new Unavailable("The chat server answered 500.");
      return { kind: "text", text: "OK", usage: null };
    };
    const guarded = guardChat({ model: "m", complete }, guard());
    const ask = (content: string) => guarded.complete({ messages: [{ role: "user", content }], maxTokens: 16 });
    for (let i = 0; i < 7; i++) await expect(ask("poison")).rejects.toMatchObject({ isOpen: false });
    expect(await ask("good")).toMatchObject({ text: "OK" });
  });

  it("one tenant's model server that is down is not another's, nor another of its own", async () => {
    let sent = 0;
    const upstream = guardUpstream(
      {
        refusal: () => null,
        send: async () => {
          sent += 1;
          throw new Unavailable("The model server could not be reached.");
        },
      },
      guard(),
    );
    const request = { apiKey: null, path: "/models", method: "GET" as const, signal: new AbortController().signal };
    const ask = (tenantId: number, base: string) =>
      upstream.send({ ...request, tenantId, base }).catch((error: unknown) => error);
    for (let i = 0; i < 6; i++) await ask(1, "https://a.example/v1");
    expect(sent).toBe(3);
    await ask(2, "https://a.example/v1");
    await ask(1, "https://b.example/v1");
    expect(sent).toBe(5);
    expect(await ask(1, "https://a.example/other")).toBeInstanceOf(AppError);
    expect(sent).toBe(5);
  });
});
