import { z } from "@hono/zod-openapi";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { AppError, type ErrorCode } from "#core/errors";
import { STATUS, toFieldIssues, toProblem } from "./problem.ts";
import type { RestEnv } from "./rest-env.ts";

async function problemOf(error: unknown) {
  const app = new Hono<RestEnv>().get("/", (c) => toProblem(c, error, "request-1"));
  const response = await app.request("/");
  return { status: response.status, headers: response.headers, body: await response.json() };
}

describe("toProblem", () => {
  it("describes our own failures in our words", async () => {
    const error = new AppError("rate_limited", "Wait.", { retryAfterSeconds: 7, fields: [{ path: "a", message: "b" }] });
    const { status, headers, body } = await problemOf(error);
    expect([status, headers.get("content-type"), headers.get("retry-after"), headers.get("x-request-id")]).toEqual([
      429,
      "application/problem+json",
      "7",
      "request-1",
    ]);
    expect(body).toEqual({
      type: "/docs/errors#rate_limited",
      title: "Too many requests",
      status: 429,
      code: "rate_limited",
      detail: "Wait.",
      requestId: "request-1",
      retryAfter: 7,
      fields: [{ path: "a", message: "b" }],
    });
  });

  it.each([
    new Error("the secret is 42"),
    new AppError("internal", "the secret is 42"),
    new AppError("misconfigured", "the secret is 42"),
    "the secret is 42",
  ])("makes one fixed sentence of what is not for the caller", async (error) => {
    const { status, body } = await problemOf(error);
    expect([status, JSON.stringify(body).includes("secret")]).toEqual([500, false]);
  });

  it("asks strangers for a key in the way of HTTP, and nobody else", async () => {
    const asks = async (code: ErrorCode) => (await problemOf(new AppError(code, ""))).headers.get("www-authenticate");
    expect([await asks("unauthenticated"), await asks("forbidden")]).toEqual(['Bearer realm="edgewise"', null]);
  });

  it("has a status of 400 or more for every code", () => {
    expect(Object.values(STATUS).every((status) => status >= 400)).toBe(true);
  });
});

describe("toFieldIssues", () => {
  const schema = z.union([
    z.strictObject({ messages: z.array(z.strictObject({ role: z.enum(["user", "tool"]), text: z.string() })).min(1) }),
    z.strictObject({ episodes: z.array(z.strictObject({ text: z.string() })).max(2) }),
  ]);
  const pathsOf = (input: unknown) => {
    const { error } = schema.safeParse(input);
    return error === undefined ? [] : toFieldIssues(error, "json").map(({ path }) => path);
  };

  it("reports the variant that was meant", () => {
    expect(pathsOf({ messages: [{ role: "king", text: "x" }] })).toEqual(["messages[0].role"]);
    expect(pathsOf({ messages: [{ role: "user", text: "x" }, { role: "user" }] })).toEqual(["messages[1].text"]);
    expect(pathsOf({ episodes: [{ text: "a" }, { text: "b" }, { text: "c" }] })).toEqual(["episodes"]);
    expect(pathsOf(7)).toEqual(["body"]);
  });

  it("never repeats a value, nor a name that is long, holds other characters than names do, or is a secret", () => {
    const names = ["k".repeat(41), "my private words", "sk_live_4eC39HqLyjWDarjtT1zdp7dc", "é", "<b>"];
    const input = { a: "my secret", b: { [names[1] ?? ""]: 1 }, ...Object.fromEntries(names.map((name) => [name, 1])) };
    const { error } = z.strictObject({ a: z.enum(["x"]), b: z.record(z.string(), z.string()) }).safeParse(input);
    const text = JSON.stringify(error === undefined ? [] : toFieldIssues(error));
    expect(["my secret", ...names].filter((each) => text.includes(each))).toEqual([]);
    expect(text).toContain("b.*");
  });
});
