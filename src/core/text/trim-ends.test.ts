import { expect, it } from "vitest";
import { trimEnds } from "./trim-ends.ts";

it("leaves out characters at the ends and keeps those within", () => {
  const dots = new Set(".…");
  expect(trimEnds("..a.b…", { start: dots, end: dots })).toBe("a.b");
  expect(trimEnds("..a.b…", { end: dots })).toBe("..a.b");
  expect(trimEnds("..a.b…", { start: dots })).toBe("a.b…");
  expect(trimEnds("...", { start: dots, end: dots })).toBe("");
});
