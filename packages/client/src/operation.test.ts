import { describe, expect, it } from "vitest";
import { type Fields, parseOperation, toRequest } from "./operation.ts";

const request = (group: string, line: string, input: Fields) => toRequest(parseOperation(group, line), input);

describe("toRequest", () => {
  it.each([
    ["search", "POST", { query: "a" }, { method: "POST", path: "search", search: "", body: '{"query":"a"}' }],
    [
      "memories",
      "GET",
      { userId: "a b", stats: true, page: 2, type: undefined },
      { path: "memories", search: "userId=a+b&stats=true&page=2", body: null },
    ],
    [
      "memories",
      "POST!/:memoryId/restore?userId,sessionId",
      { memoryId: "m", userId: "a" },
      { path: "memories/m/restore", search: "userId=a", body: null },
    ],
    [
      "memories",
      "PATCH/:memoryId?sessionId",
      { memoryId: "m", sessionId: "s", workspaceId: null },
      { path: "memories/m", search: "sessionId=s", body: '{"workspaceId":null}' },
    ],
    [
      "memories",
      "DELETE/:memoryId",
      { memoryId: "m", userId: "a" },
      { method: "DELETE", path: "memories/m", search: "userId=a", body: null },
    ],
    [
      "episodes",
      "GET sessions/:sessionId/episodes",
      { sessionId: "a/b?c#d é" },
      { path: "sessions/a%2Fb%3Fc%23d%20%C3%A9/episodes" },
    ],
    ["memories", "GET/:", { memoryId: "m" }, { path: "memories/m" }],
    ["entities", "GET/:/mentions", { entityId: "e" }, { path: "entities/e/mentions" }],
    ["facts", "GET/:topic/:rank", { topic: "color", rank: 0 }, { path: "facts/color/0" }],
    [
      "sources",
      "PUT^/:sourceId/files?path,userId",
      { sourceId: "s", path: "a b.md", body: "bytes" },
      { method: "PUT", path: "sources/s/files", search: "path=a+b.md", body: "bytes" },
    ],
  ])("%s %s", (group, line, input, expected) => {
    expect(request(group, line, input)).toMatchObject(expected);
  });

  it("names the place in encoded headers, and leaves the body to the model server", () => {
    const input = { userId: "José", sessionId: "a, b", memory: "off", messages: [], user: "x" };
    expect(request("chat", "POST~/completions", input)).toEqual({
      method: "POST",
      path: "chat/completions",
      search: "",
      headers: { "x-edgewise-user": "Jos%C3%A9", "x-edgewise-session": "a%2C%20b", "x-edgewise-memory": "off" },
      body: '{"messages":[],"user":"x"}',
    });
  });

  it.each([undefined, null, "", ".", ".."])("refuses %j as a part of the address", (userId) => {
    expect(() => request("users", "GET/:userId/profile", { userId })).toThrow("`userId`");
  });

  it("leaves the input as it is", () => {
    const input = Object.freeze({ userId: "alice", prose: true });
    request("users", "GET/:userId/profile", input);
    expect(input).toEqual({ userId: "alice", prose: true });
  });
});
