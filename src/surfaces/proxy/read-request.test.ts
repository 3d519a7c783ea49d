import { describe, expect, it } from "vitest";
import { AppError } from "#core/errors";
import {
  type CompletionBody,
  type CompletionHeaders,
  ownSession,
  readPlace,
  takesPlainAnswer,
  wantsUsage,
} from "./read-request.ts";

const body = (more: Record<string, unknown> = {}): CompletionBody => ({ model: "m", messages: [{ role: "user" }], ...more });
const place = (headers: CompletionHeaders, more: Record<string, unknown> = {}) => readPlace(headers, body(more), "key_1");

describe("who and where", () => {
  it("is what the headers say, else the body", () => {
    const metadata = { user_id: "mu", session_id: "ms", project_id: "mp" };
    expect(place({}, { metadata })).toEqual({ userId: "mu", sessionId: "ms", projectId: "mp", workspaceId: undefined });
    expect(place({}, { metadata, user: "bu" })).toMatchObject({ userId: "bu" });
    const headers = {
      "x-edgewise-user": "hu",
      "x-edgewise-session": "hs",
      "x-edgewise-project": "hp",
      "x-edgewise-workspace": "hw",
    };
    expect(place(headers, { metadata, user: "bu" })).toEqual({
      userId: "hu",
      sessionId: "hs",
      projectId: "hp",
      workspaceId: "hw",
    });
  });

  it("is percent-decoded from headers only", () => {
    expect(place({ "x-edgewise-user": "J%C3%BCrgen%20%E6%9D%B1" }, { metadata: { session_id: "100%25" } })).toMatchObject({
      userId: "Jürgen 東",
      sessionId: "100%25",
    });
  });

  it.each(["%", "%E6%9D", "%00", "a%0Ab", ".", "x".repeat(201)])("refuses %j", (wrong) => {
    for (const name of ["x-edgewise-user", "x-edgewise-session", "x-edgewise-project", "x-edgewise-workspace"] as const) {
      const refused = () => place({ [name]: wrong });
      expect(refused).toThrow(AppError);
      expect(refused).toThrow(expect.objectContaining({ fields: [expect.objectContaining({ path: name })] }));
    }
  });
});

describe("a session of one's own", () => {
  const named = (userId?: string, projectId?: string) => ownSession({ userId, projectId, callerId: "key_1" });

  it("is another for each user and each project", () => {
    expect([named("alice"), named("alice", "garden"), named(), named(undefined, "garden")]).toEqual([
      "proxy:alice",
      "proxy:alice/garden",
      "proxy::key_1",
      "proxy::key_1/garden",
    ]);
    const all = [named("a/b"), named("a", "b"), named("a%2Fb"), named(":key_1"), named(), named("a", "b/c"), named("a/b", "c")];
    expect(new Set(all).size).toBe(all.length);
  });

  it("must be named where its name would be too long", () => {
    expect(() => named("x".repeat(200))).toThrow(AppError);
  });
});

describe("a plain answer", () => {
  it.each<[boolean, Record<string, unknown>]>([
    [true, {}],
    [true, { response_format: { type: "text" }, tool_choice: "auto", modalities: ["text"], function_call: "none" }],
    [true, { response_format: null, tool_choice: null, tools: [{}] }],
    [false, { response_format: { type: "json_object" } }],
    [false, { response_format: { type: "json_schema", json_schema: {} } }],
    [false, { response_format: "json" }],
    [false, { tool_choice: "required" }],
    [false, { tool_choice: { type: "function", function: { name: "x" } } }],
    [false, { function_call: { name: "x" } }],
    [false, { modalities: ["text", "audio"] }],
  ])("is %s for %j", (takes, more) => {
    expect(takesPlainAnswer(body(more))).toBe(takes);
  });
});

it("sends usage with a stream where it is asked for", () => {
  expect(
    [{ include_usage: true }, { include_usage: false }, null, undefined].map((wish) =>
      wantsUsage(body({ stream_options: wish })),
    ),
  ).toEqual([true, false, false, false]);
});
