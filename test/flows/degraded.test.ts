import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { Services } from "#context";
import { misconfigured, upstreamFailed } from "#core/errors";
import { createHarness, type Harness } from "#test/harness";
import { settings } from "./extraction-requests.ts";
import { find, say, textsOf } from "./requests.ts";

const SECRET = "the albatross is called Bertram";
const events: string[] = [];
let replaced: Partial<Services> = {};
let h: Harness;

beforeAll(async () => {
  h = await createHarness({
    replace: () => ({ log: (event, facts) => void events.push(JSON.stringify({ event, ...facts })), ...replaced }),
  });
  await settings(h, { extraction: "off" });
  await say(h, "birds", SECRET);
  await h.settle();
});

/** A model with meaning is asked with every question, so its failure is felt by every search. */
function semantic(embed: Services["embedder"]["embed"]): Partial<Services> {
  return { embedder: { ...h.services().embedder, nature: "semantic", embed } };
}

const failures: [string, string, () => Partial<Services>][] = [
  ["the embedder fails", "failed", () => semantic(() => Promise.reject(upstreamFailed("No.")))],
  [
    "the embedder throws at once",
    "failed",
    () =>
      semantic(() => {
        throw new Error(SECRET);
      }),
  ],
  ["the embedder answers nothing", "failed", () => semantic(() => Promise.resolve([]))],
  ["the embedder is misconfigured", "misconfigured", () => semantic(() => Promise.reject(misconfigured("No.")))],
  ["the embedder hangs", "timeout", () => semantic(() => new Promise(() => undefined))],
  [
    "the vector index fails",
    "failed",
    () => ({
      ...semantic(h.services().embedder.embed),
      vectors: { ...h.services().vectors, query: () => Promise.reject(new Error(SECRET)) },
    }),
  ],
];

describe.each(failures)("when %s", (_, reason, stand) => {
  it("search answers by its words and says what is missing", async () => {
    replaced = {};
    replaced = stand();
    events.length = 0;
    const { status, json } = await find(h, `albatross? ${crypto.randomUUID()}`);
    replaced = {};
    expect([status, json.hits.map(({ content }) => content), json.degraded]).toEqual([
      200,
      [SECRET],
      [{ channel: "semantic", reason }],
    ]);
    expect(events.join("\n")).not.toContain("Bertram");
  });
});

it("a search by meaning alone has no hits and says why", async () => {
  replaced = semantic(() => Promise.reject(upstreamFailed("No.")));
  const { status, json } = await find(h, "albatross", { strategy: "semantic" });
  replaced = {};
  expect([status, json.hits, json.degraded]).toEqual([200, [], [{ channel: "semantic", reason: "failed" }]]);
});

it("nothing is degraded while everything works", async () => {
  expect((await find(h, "albatross")).json.degraded).toEqual([]);
});

it("the last: without its text index, search goes by vectors and by time, and says so", async () => {
  await env.DB.prepare("drop table message_fts").run();
  const hybrid = await find(h, "what is the albatross called?");
  expect([hybrid.status, textsOf(hybrid), hybrid.json.degraded]).toEqual([
    200,
    [SECRET],
    [{ channel: "text", reason: "failed" }],
  ]);
  expect((await find(h, "albatross", { strategy: "text" })).json).toMatchObject({
    hits: [],
    degraded: [{ channel: "text", reason: "failed" }],
  });
  const recent = await find(h, "albatross", { strategy: "recent" });
  expect([textsOf(recent), recent.json.degraded]).toEqual([[SECRET], []]);
});
