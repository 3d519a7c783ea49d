import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Services, Settings } from "#context";
import { BoundedCache } from "#core/bounded-cache";
import type { Db } from "#db/client";
import { chatChannel } from "#test/chat-channel";
import { createHarness, type Harness } from "#test/harness";
import { chat, setUpstream } from "./proxy-requests.ts";

const MINUTE_MS = 60_000;
const upstream = chatChannel();
/** Settings that every request asks for anew; who asks is known for longer. */
const settings = new BoundedCache<Settings>({ limit: 10, ttlMs: 1 });
const lines: string[] = [];
let skipMs = 0;
let replaced: Partial<Services> = {};
let h: Harness;
beforeAll(async () => {
  h = await createHarness({
    replace: ({ caches }) => ({
      caches: { ...caches, settings: laterBy(settings) },
      log: (event) => void lines.push(event),
      ...replaced,
    }),
  });
  expect((await setUpstream(h, { url: upstream.url })).status).toBe(200);
});
beforeEach(() => {
  [replaced, skipMs, lines.length] = [{}, 0, 0];
});

/** The cache at a time to come, when nothing else is older. */
function laterBy(cache: BoundedCache<Settings>): BoundedCache<Settings> {
  return new Proxy(cache, {
    get: (target, name) => {
      const value = Reflect.get(target, name, target);
      if (name === "get" || name === "getStale")
        return (key: string, now: number, ...rest: number[]) => value.call(target, key, now + 1 + skipMs, ...rest);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** A database of which nothing works, or nothing but what reads no settings. */
function failing(what: "everything" | "settings"): Db {
  const refusing = (target: D1Database) =>
    new Proxy(target, {
      get: (_, name) => {
        if (name === "batch") return target.batch.bind(target);
        return (query: string) => {
          if (query.includes(" from settings s ")) throw new Error("D1 is down");
          return target.prepare(query);
        };
      },
    });
  return new Proxy(h.services().db, {
    get: (target, name) => {
      if (what === "everything") throw new Error("D1 is down");
      return name === "$client" ? refusing(target.$client) : Reflect.get(target, name);
    },
  });
}

describe("while the database fails", () => {
  it("a chat goes on by the settings that were known last, without memory", async () => {
    expect((await chat(h, "Good morning")).status).toBe(200);
    replaced = { db: failing("everything") };
    const { status, json, headers } = await chat(h, "Good evening");
    expect([status, json.choices[0]?.message.content]).toEqual([200, "You said: Good evening"]);
    expect(headers.get("x-edgewise-memory")).toBe("skipped; reason=failed");
    expect(lines).toContain("settings.stale");
  });

  it("a chat by settings that are known no more, or were never, is refused plainly", async () => {
    expect((await chat(h, "Good morning")).status).toBe(200);
    replaced = { db: failing("everything") };
    skipMs = 11 * MINUTE_MS;
    const tooOld = await chat(h, "Good evening");
    settings.clear();
    const never = await chat(h, "Good night");
    for (const { status, json } of [tooOld, never])
      expect([status, json.code, json.error.message]).toEqual([502, "upstream_failed", expect.stringContaining("settings")]);
  });

  it("nothing else goes by old settings", async () => {
    expect((await chat(h, "Good morning")).status).toBe(200);
    replaced = { db: failing("settings") };
    const answer = await h.fetch("POST", "/v1/context", { body: { userId: "alice", query: "morning" } });
    expect(answer.status).toBe(500);
  });
});
