import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Counts } from "./counts.ts";
import { countsOf, databaseMsOf } from "./server-timing.ts";

/** `databaseMs` is the part of `milliseconds` that was spent in the database. */
export type Reply = { counts: Counts; body: unknown; milliseconds: number; databaseMs: number };

export type Request = { method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"; path: string; body?: object };

/** Sends one request and returns its cost. Throws, without a text that was sent, when it fails. */
export type Call = (request: Request) => Promise<Reply>;

const NewKey = z.object({ key: z.string() });

/**
 * An isolate caches a key, and a tenant's settings and topics, for 15 seconds (compose.ts). Calls are measured for less than that; then the
 * cache must expire, so that a call which is not measured loads both.
 */
const TRUST_MS = 15_000;
const MEASURED_MS = 12_000;
const LOADS: readonly (readonly [string, object])[] = [
  ["/v1/search", { userId: "measures", query: "" }],
  ["/v1/answer", { userId: "measures", question: "What is my first favorite color?" }],
];
/** Between the load and the answer that it was for. */
const SLACK_MS = 200;

/**
 * Calls of an isolate that has the key and the settings cached: the cost of a warm request. Now and then it waits before one. It has its
 * own key, and a tenant has only one such client: what others load expires at another time.
 */
export async function warmClient(url: string, key: string): Promise<Call> {
  const body = { name: "measures", permissions: ["read", "write", "admin"] };
  const own = NewKey.parse((await send(url, key, { method: "POST", path: "/v1/keys", body })).body).key;
  // A sweep may have loaded the settings until now.
  let [loaded, isWarm] = [performance.now(), false];
  return async (request) => {
    if (!isWarm || performance.now() - loaded > MEASURED_MS) {
      await sleep(Math.max(0, loaded + TRUST_MS + SLACK_MS - performance.now()));
      for (const [path, body] of LOADS) await send(url, own, { method: "POST", path, body });
      [loaded, isWarm] = [performance.now(), true];
    }
    return await send(url, own, request);
  };
}

async function send(url: string, key: string, { method, path, body }: Request): Promise<Reply> {
  const started = performance.now();
  const response = await fetch(new URL(path, url), {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const milliseconds = performance.now() - started;
  if (!response.ok) throw new Error(`${method} ${path.replace(/\?.*/, "")} was answered with ${response.status}.`);
  const header = response.headers.get("server-timing") ?? "";
  const answer = text === "" ? null : JSON.parse(text);
  return { counts: countsOf(header), body: answer, milliseconds, databaseMs: databaseMsOf(header) };
}
