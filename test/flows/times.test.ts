import { beforeAll, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { type Problem, rows } from "./requests.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const DAY_MS = 24 * 3_600_000;
const at = (ahead: number) => new Date(NOW + ahead).toISOString();

let h: Harness;
beforeAll(async () => {
  h = await createHarness({ replace: () => ({ now: () => NOW }) });
});

const message = (occurredAt?: string) => ({ role: "user", content: "I live in Oslo", ...(occurredAt ? { occurredAt } : {}) });
const fact = (createdAt: string) => ({ topic: "color", rank: 1, value: "Blue", createdAt });

/** Wherever a request says when something was said, with the path of the field. */
const SAID: readonly [string, string, (time: string) => Record<string, unknown>][] = [
  ["occurredAt", "/v1/sessions/s/episodes", (time) => ({ occurredAt: time, messages: [message()] })],
  ["messages[1].occurredAt", "/v1/sessions/s/episodes", (time) => ({ messages: [message(), message(time)] })],
  [
    "episodes[1].occurredAt",
    "/v1/sessions/s/episodes",
    (time) => ({ episodes: [{ messages: [message()] }, { occurredAt: time, messages: [message()] }] }),
  ],
  ["episodes[0].messages[0].occurredAt", "/v1/sessions/s/episodes", (time) => ({ episodes: [{ messages: [message(time)] }] })],
  ["messages[0].occurredAt", "/v1/extract", (time) => ({ messages: [message(time)] })],
  ["createdAt", "/v1/facts", fact],
  ["facts[1].createdAt", "/v1/facts", (time) => ({ facts: [fact(at(0)), fact(time)] })],
];

describe("12: occurredAt beyond a day in the future is a 400", () => {
  it.each(SAID)("%s of %s", async (path, route, bodyOf) => {
    const send = async (time: string) => await h.fetch<Problem>("POST", route, { body: { userId: "ann", ...bodyOf(time) } });
    const before = await rows("select count(*) as n from episodes where tenant_id = ?", h.tenantId);
    for (const time of [at(DAY_MS + 1), "9999-12-31T23:59:59Z"]) {
      const { status, json } = await send(time);
      expect([status, json.code, json.fields?.map((field) => field.path)]).toEqual([400, "invalid_input", [path]]);
    }
    expect(await rows("select count(*) as n from episodes where tenant_id = ?", h.tenantId)).toEqual(before);
    for (const time of [at(DAY_MS), at(60_000), at(-DAY_MS)]) expect((await send(time)).status).toBeLessThan(300);
  });

  it("since when a memory holds may be later: it is no time of speech", async () => {
    const body = { userId: "ann", content: "Moves to Rome in May.", validFrom: at(90 * DAY_MS) };
    expect((await h.fetch("POST", "/v1/memories", { body })).status).toBe(201);
  });
});
