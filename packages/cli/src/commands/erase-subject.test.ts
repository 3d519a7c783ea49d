import { describe, expect, it } from "vitest";
import { eraseSubject } from "./erase-subject.ts";

describe("what `edgewise erase` erases", () => {
  it("is a user, unless another thing is named: then the user is who asks", () => {
    expect(eraseSubject({ user: "alice" })).toEqual({ kind: "user", id: "alice" });
    expect(eraseSubject({ user: "alice", session: "chat-1" })).toEqual({ kind: "session", id: "chat-1", userId: "alice" });
    expect(eraseSubject({ project: "apollo" })).toEqual({ kind: "project", id: "apollo" });
    expect(eraseSubject({ source: "handbook" })).toEqual({ kind: "source", id: "handbook" });
  });

  it("is one thing that a flag names", () => {
    expect(() => eraseSubject({})).toThrow("Say what to erase");
    expect(() => eraseSubject({ session: "chat-1", project: "apollo" })).toThrow("Name one thing");
  });
});
