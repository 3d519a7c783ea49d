import { beforeEach, describe, expect, it } from "vitest";
import type { Caller, Services } from "#context";
import { type IngestOutcome, ingestMemories, type MemoryDraftInput } from "#domain/memories";
import { createHarness, type Harness } from "#test/harness";
import { memoriesOf } from "./extraction-requests.ts";
import { add, approveOne, list, pastOf, queue, rejectOne } from "./memory-requests.ts";
import { nth, say } from "./requests.ts";

let h: Harness;
beforeEach(async () => {
  h = await createHarness({ replace: () => ({ log: () => undefined }) });
});

const asJob = (): Caller & Services => ({
  ...h.services(),
  tenantId: h.tenantId,
  actor: { kind: "job", id: "job:extraction" },
  requestId: "job_1",
  idempotent: null,
});
const episode = async () => (await say(h, "s", "word", { userId: "ann" })).json.id;

async function ingestedAs(
  content: string,
  rest: Partial<MemoryDraftInput> = {},
  how: { from?: string; keepsOwn?: boolean } = {},
): Promise<IngestOutcome | undefined> {
  const learnedIn = { sessionId: "s", episodeId: how.from ?? (await episode()) };
  const memories = [{ content, learnedIn, ...rest }];
  const [first] = await ingestMemories(asJob(), { userId: "ann", memories }, { alongside: [], keepsOwn: how.keepsOwn ?? false });
  return first?.outcome;
}

const home = (validFrom: string) => ({ key: "identity:home", validFrom });

describe("what is ingested", () => {
  it("is said again by another episode, and known from the same one", async () => {
    const from = await episode();
    expect(await ingestedAs("likes tea", {}, { from })).toBe("stored");
    expect(await ingestedAs("likes tea", {}, { from })).toBe("known");
    expect(await ingestedAs("likes tea")).toBe("again");
    expect((await memoriesOf(h)).map(({ seen_count }) => seen_count)).toEqual([2]);
  });

  it("takes the place of what its key held before, and of nothing that was said later", async () => {
    expect(await ingestedAs("lives in Paris", home("2024-01-01T00:00:00Z"))).toBe("stored");
    expect(await ingestedAs("lives in Berlin", home("2019-01-01T00:00:00Z"))).toBe("older");
    expect(await ingestedAs("lives in Rome", home("2025-01-01T00:00:00Z"))).toBe("changed");
    const [memory] = (await list(h, "userId=ann")).json.items;
    expect(memory).toMatchObject({ content: "lives in Rome", validFrom: "2025-01-01T00:00:00.000Z" });
    const past = await pastOf(h, memory?.id ?? "", "userId=ann");
    expect(past.json.versions.map(({ content }) => content)).toEqual(["lives in Paris"]);
  });

  it("leaves what the same episode holds under its key, when it shall", async () => {
    const from = await episode();
    await ingestedAs("lives in Paris", home("2024-01-01T00:00:00Z"), { from });
    expect(await ingestedAs("has a home in Paris, France", home("2024-01-01T00:00:00Z"), { from, keepsOwn: true })).toBe("known");
    expect(await ingestedAs("has a home in Paris, France", home("2024-01-01T00:00:00Z"), { from })).toBe("changed");
  });

  it("approves nothing that waits for a person, and brings nothing back that one rejected", async () => {
    const waiting = (await add(h, { userId: "ann", content: "likes tea", confidence: 0.3 })).json;
    expect(await ingestedAs("likes tea")).toBe("again");
    expect((await queue(h, "userId=ann")).json.items.map(({ status }) => status)).toEqual(["pending"]);
    await rejectOne(h, waiting.id, { userId: "ann" });
    expect(await ingestedAs("likes tea")).toBe("rejected");
    expect((await list(h, "userId=ann")).json.items).toEqual([]);
  });

  it("waits with an older guess no less than with an older statement", async () => {
    await ingestedAs("lives in Paris", home("2024-01-01T00:00:00Z"));
    expect(await ingestedAs("lives in Berlin", { ...home("2019-01-01T00:00:00Z"), confidence: 0.3 })).toBe("older");
    expect(await ingestedAs("lives in Rome", { ...home("2025-01-01T00:00:00Z"), confidence: 0.3 })).toBe("stored");
    const guess = nth((await queue(h, "userId=ann")).json.items, 0);
    expect(guess.content).toBe("lives in Rome");
    await approveOne(h, guess.id, { userId: "ann" });
    expect((await list(h, "userId=ann")).json.items.map(({ content }) => content)).toEqual(["lives in Rome"]);
  });
});
