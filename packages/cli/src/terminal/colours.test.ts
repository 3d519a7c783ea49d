import { expect, it } from "vitest";
import { wantsColour } from "./colours.ts";

const terminal = { isTTY: true };
const pipe = { isTTY: false };

it("colours for a terminal and not for a pipe", () => {
  expect(wantsColour({}, terminal)).toBe(true);
  expect(wantsColour({}, pipe)).toBe(false);
  expect(wantsColour({ TERM: "dumb" }, terminal)).toBe(false);
});

it("follows NO_COLOR and FORCE_COLOR, of which the latter wins", () => {
  expect(wantsColour({ NO_COLOR: "1" }, terminal)).toBe(false);
  expect(wantsColour({ NO_COLOR: "" }, terminal)).toBe(true);
  expect(wantsColour({ FORCE_COLOR: "1" }, pipe)).toBe(true);
  expect(wantsColour({ FORCE_COLOR: "0" }, terminal)).toBe(false);
  expect(wantsColour({ FORCE_COLOR: "1", NO_COLOR: "1" }, pipe)).toBe(true);
});
