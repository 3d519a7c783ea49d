import { beforeEach, describe, expect, it } from "vitest";
import type { Services } from "#context";
import { runJobs } from "#domain/jobs";
import { work } from "#domain/lifecycle";
import type { ChatRequest } from "#ports/chat-model";
import { createHarness, type Harness } from "#test/harness";
import { createInterruption } from "#test/interruption";
import { jobOf, MODEL_ALONE, memoriesOf, memory, runDue, said, settings } from "./extraction-requests.ts";
import { add, group, personOf } from "./memory-requests.ts";
import { append, rows, say } from "./requests.ts";

let skipMs = 0;
let asked: string[] = [];
let logged: string[] = [];
let answer: (question: string) => Promise<string> | string = () => said([]);
let h: Harness;

const replace = (): Partial<Services> => ({
  now: () => Date.now() + skipMs,
  log: (event) => void logged.push(event),
  chatModel: {
    model: "m",
    complete: async ({ messages }: ChatRequest) => {
      asked.push(messages.at(-1)?.content ?? "");
      return { kind: "text" as const, text: await answer(messages.at(-1)?.content ?? ""), usage: null };
    },
  },
});

beforeEach(async () => {
  [skipMs, asked, logged, answer] = [0, [], [], () => said([])];
  h = await createHarness({ replace });
  await settings(h, MODEL_ALONE);
});

const runOnce = async (kind: string, services = h.services()) => {
  const { id } = await jobOf(h, kind);
  return (await work(services, [{ tenantId: h.tenantId, jobId: id }])).map(({ status }) => status);
};
const speakers = ["ann", "bob", "carol", "dora"];
const four = () =>
  append(h, "team", {
    userId: "ann",
    messages: speakers.map((speaker) => ({ role: "user", content: `Hello, ${speaker} here`, userId: speaker })),
  });

describe("a run of a model's job", () => {
  it("ends at its deadline between two speakers, and the next one asks nobody twice", async () => {
    await group(h, "team", speakers);
    await four();
    await runOnce("episodes.index");
    answer = () => {
      skipMs += 50_000;
      return said([]);
    };
    expect(await runOnce("episodes.extract")).toEqual(["unfinished"]);
    expect(asked.length).toBe(2);
    const [episode] = await rows<{ public_id: string }>("select public_id from episodes where tenant_id = ?", h.tenantId);
    const people = [await personOf(h, "ann"), await personOf(h, "bob")];
    expect((await jobOf(h, "episodes.extract")).result?.readOf).toEqual({ [episode?.public_id ?? ""]: people });
    expect(await runOnce("episodes.extract")).toEqual(["done"]);
    expect(asked.length).toBe(4);
    expect((await jobOf(h, "episodes.extract")).result).toEqual({ by: "model", episodes: 1, calls: 4 });
    expect(await rows("select extracted from episodes where tenant_id = ?", h.tenantId)).toEqual([{ extracted: "model" }]);
  });

  it("ends at its deadline between two conversations too", async () => {
    const text = "We sail on the lake with the old boat. ".repeat(110);
    await append(h, "s", {
      userId: "ann",
      episodes: [1, 2, 3].map((i) => ({ messages: [{ role: "user", content: `${i} ${text}` }] })),
    });
    await runOnce("episodes.index");
    answer = () => {
      skipMs += 50_000;
      return said([]);
    };
    expect(await runOnce("episodes.extract")).toEqual(["unfinished"]);
    expect(asked.length).toBe(2);
  });

  it("that failed at one speaker does not ask those again who came before", async () => {
    await group(h, "team", speakers);
    await four();
    await runOnce("episodes.index");
    answer = () => {
      if (asked.length === 3) throw new Error("gone");
      return said([]);
    };
    expect(await runOnce("episodes.extract")).toEqual(["pending"]);
    skipMs = 60_000;
    await runDue(h);
    await rows("update jobs set due_at = 0 where tenant_id = ?", h.tenantId);
    expect(await runOnce("episodes.extract")).toEqual(["done"]);
    expect(asked.length).toBe(5);
  });

  it("marks nothing that the rules are to read again", async () => {
    await say(h, "s", "We sail every summer", { userId: "ann" });
    await runOnce("episodes.index");
    answer = async () => {
      await rows("update episodes set extracted = null where tenant_id = ?", h.tenantId);
      return said([]);
    };
    expect(await runOnce("episodes.extract")).toEqual(["done"]);
    expect(await rows("select extracted from episodes where tenant_id = ?", h.tenantId)).toEqual([{ extracted: null }]);
  });

  it("that lost its lease says so, and does not say that it is done", async () => {
    await say(h, "s", "Hello", { userId: "ann" });
    const { id } = await jobOf(h);
    const taken = () => rows("update jobs set lease_token = 'another' where id = ?", id);
    for (const end of ["done", "unfinished", "failed"]) {
      await rows("update jobs set status = 'pending', due_at = 0, attempts = 0 where id = ?", id);
      const handler = async () => {
        await taken();
        if (end === "failed") throw new Error("no");
        return end === "unfinished" ? ("unfinished" as const) : undefined;
      };
      const outcomes = await runJobs(h.services(), [{ tenantId: h.tenantId, jobId: id }], { "episodes.index": handler });
      expect(outcomes.map(({ status }) => status)).toEqual(["lost"]);
      expect(await jobOf(h)).toMatchObject({ status: "running", finishedAt: null });
    }
    expect(logged.filter((event) => event === "job.lease_lost").length).toBe(3);
  });
});

describe("what a model says", () => {
  it("is as sensitive as its words and those it rests on, whatever the model calls it", async () => {
    answer = () =>
      said([
        memory("Was diagnosed with HIV in 2019", { quote: "they diagnosed me with HIV in 2019" }),
        memory("Paid by the year", { quote: "they pay me 95k a year, by the year" }),
        memory("Sails on a lake", { quote: "we sail on a lake", sensitivity: "personal" }),
      ]);
    const text = "So they diagnosed me with HIV in 2019, and we sail on a lake, and they pay me 95k a year, by the year";
    await say(h, "s", text, { userId: "ann" });
    await runDue(h);
    const model = (await memoriesOf(h)).filter(({ metadata }) => metadata.includes('"model"'));
    expect(model.map(({ content, sensitivity }) => [content, sensitivity])).toEqual([
      ["Was diagnosed with HIV in 2019", "sensitive"],
      ["Paid by the year", "sensitive"],
      ["Sails on a lake", "personal"],
    ]);
  });

  it("rests on what the user said, however long the assistant answered, and what was cut is told", async () => {
    answer = () => said([memory("Keeps bees on the roof", { quote: "we keep bees on the roof" })]);
    const messages = [
      { role: "user", content: "Well, we keep bees on the roof" },
      { role: "assistant", content: "Bees are insects. ".repeat(2_300) },
    ];
    await append(h, "s", { userId: "ann", messages });
    await runDue(h);
    expect((await memoriesOf(h)).map(({ content }) => content)).toEqual(["Keeps bees on the roof"]);
    await append(h, "s", { userId: "ann", messages: [{ role: "user", content: "word ".repeat(9_000) }] });
    await runDue(h);
    expect((await jobOf(h, "episodes.extract")).result).toMatchObject({ messagesCut: 1 });
  });

  it("gives no person an alias that a participant goes by", async () => {
    await group(h, "team", ["ann", "bob"]);
    await h.fetch("PUT", "/v1/users/bob", { body: { name: "Bobby" } });
    answer = () => said([], { people: [{ name: "Lea", aliases: ["Bobby", "Leni"], relationship: "sister" }] });
    await append(h, "team", { userId: "ann", messages: [{ role: "user", content: "Lea, or Leni, met Bobby" }] });
    await runDue(h);
    expect(await rows("select aliases from persons where tenant_id = ? and name = 'Lea'", h.tenantId)).toEqual([
      { aliases: '["Leni"]' },
    ]);
  });

  it("is asked with no memory of a project in which the speaker is not", async () => {
    await add(h, { userId: "ann", content: "The boat is red", scopeType: "project", scopeId: "shop" });
    await add(h, { userId: "ann", content: "The boat is old" });
    await say(h, "s", "Our boat needs paint", { userId: "ann" });
    await runDue(h);
    expect(asked.at(-1)).toContain("The boat is old");
    expect(asked.at(-1)).not.toContain("The boat is red");
  });

  it("names nobody whom the speaker made once and who is a user now", async () => {
    answer = () => said([memory("Lea sings in a choir", { quote: "Lea sings in a choir", subjects: ["Lea"] })]);
    const { json } = await h.fetch<{ id: string }>("POST", "/v1/people", { body: { userId: "ann", name: "Lea" } });
    const user = await personOf(h, "eve");
    const [eve] = await rows<{ user_id: number }>("select user_id from persons where public_id = ?", user);
    await rows("update persons set user_id = null where public_id = ?", user);
    await rows("update persons set user_id = ? where public_id = ?", eve?.user_id ?? null, json.id);
    await say(h, "s", "Lea sings in a choir, they say", { userId: "ann" });
    await runDue(h);
    const subjects = await rows<{ id: string }>(
      `select p.public_id as id from memories m join memory_subjects s on s.memory_id = m.id join persons p on p.id = s.person_id
       where m.tenant_id = ? and m.content = 'Lea sings in a choir'`,
      h.tenantId,
    );
    expect(subjects.length).toBe(1);
    expect(subjects.map(({ id }) => id)).not.toContain(json.id);
  });
});

describe("a session that moves", () => {
  const project = (name: string | null) => h.fetch("PUT", "/v1/sessions/s", { body: { projectId: name, userId: "ann" } });
  const scopes = async () => (await memoriesOf(h)).map(({ scope_id, content }) => [content, scope_id]);

  beforeEach(async () => {
    for (const name of ["p", "q"]) await h.fetch("PUT", `/v1/projects/${name}`, { body: { userId: "ann" } });
  });

  it("while a model thinks has its memories where it is then", async () => {
    await append(h, "s", {
      userId: "ann",
      projectId: "p",
      messages: [{ role: "user", content: "We deploy the shop on Tuesdays" }],
    });
    await runOnce("episodes.index");
    answer = async () => {
      await project("q");
      return said([memory("Deploys the shop on Tuesdays", { quote: "We deploy the shop on Tuesdays" })]);
    };
    await runDue(h);
    expect(await scopes()).toEqual([["Deploys the shop on Tuesdays", "q"]]);
    expect((await jobOf(h, "episodes.extract")).result).toMatchObject({ stored: 1 });
  });

  it("while rules read has its memories where it is then, under the key that they have there", async () => {
    await settings(h, { extraction: "rules", extractionThreshold: 0.7 });
    await append(h, "s", { userId: "ann", projectId: "p", messages: [{ role: "user", content: "I live in Oslo" }] });
    const { db, ...services } = h.services();
    const interruption = createInterruption();
    interruption.afterBatch(2, () => project(null));
    expect(await runOnce("episodes.index", { ...services, db: interruption.in(db) })).toEqual(["done"]);
    expect((await memoriesOf(h)).map(({ scope_id, key }) => [scope_id, key])).toEqual([[null, "identity:home"]]);
  });
});
