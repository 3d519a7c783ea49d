import { describe, expect, it } from "vitest";
import type { Caller } from "#context";
import { AppError } from "#core/errors";
import { type ProxyHeaders, readPlace } from "./place.ts";

const callerOf = (boundUser: string | null): Caller => ({
  tenantId: 1,
  actor: { kind: "key", id: "key_1", keyId: 1, boundUser, permissions: [] },
  requestId: "r",
  idempotent: null,
});
const place = (headers: ProxyHeaders, more: Record<string, unknown> = {}, boundUser: string | null = "alice") =>
  readPlace(callerOf(boundUser), { headers, body: more });
const NAMES = ["x-edgewise-user", "x-edgewise-session", "x-edgewise-project", "x-edgewise-workspace"] as const;

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

  it.each(["%", "%E6%9D", "%00", "a%0Ab", ".", "x".repeat(201), "", " ", "Müller", "M\ufffdller", "\u00c3\u00bc"])(
    "refuses %j",
    (wrong) => {
      for (const name of NAMES) {
        const refused = () => place({ [name]: wrong });
        expect(refused).toThrow(AppError);
        expect(refused).toThrow(expect.objectContaining({ fields: [expect.objectContaining({ path: name })] }));
      }
    },
  );
});

describe("the body's names", () => {
  it.each<[string, Record<string, unknown>]>([
    ["user", { user: "" }],
    ["user", { user: 7, metadata: { user_id: "alice" } }],
    ["metadata.user_id", { metadata: { user_id: 7 } }],
    ["metadata.session_id", { metadata: { session_id: "a\nb" } }],
    ["metadata.project_id", { metadata: { project_id: "" } }],
  ])("are refused where they count and are none: %s", (path, more) => {
    expect(() => place({}, more)).toThrow(expect.objectContaining({ fields: [expect.objectContaining({ path })] }));
  });

  it("do not count beside a header, or where they are left out", () => {
    const metadata = { user_id: 7, session_id: "", project_id: {} };
    const headers = { "x-edgewise-user": "hu", "x-edgewise-session": "hs", "x-edgewise-project": "hp" };
    expect(place(headers, { user: "x".repeat(201), metadata })).toMatchObject({ userId: "hu", sessionId: "hs", projectId: "hp" });
    expect(place({}, { user: null, metadata: "none" })).toMatchObject({ userId: "alice", sessionId: "proxy:alice" });
    expect(() => place({}, { user: null, metadata: "none" }, null)).toThrow("Name the user");
  });

  it("of a user and a project must leave room for the session's", () => {
    expect(() => place({ "x-edgewise-user": "x".repeat(200) })).toThrow(AppError);
  });
});
