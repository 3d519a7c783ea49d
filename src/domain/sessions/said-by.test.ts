import { expect, it } from "vitest";
import { authorOf, namedSpeaker, type Speakers } from "./said-by.ts";

const eve = { userId: 7, names: ["Eve", "Anna", "eve-id"] };
const said = (speaker: string | null, userId?: number) =>
  authorOf({ role: "user", speaker, ...(userId === undefined ? {} : { userId }) }, eve);

it("a message is the statement of whom it names, else of its sender, else of nobody", () => {
  expect([said(null), said("EVE"), said("anna"), said("eve-id")]).toEqual([7, 7, 7, 7]);
  expect([said("Alice"), said("Eve Miller"), said("!!"), said("")]).toEqual([null, null, null, null]);
  expect([said("Alice", 3), said("Eve", 3), said(null, 3)]).toEqual([3, 3, 3]);
  expect(authorOf({ role: "assistant", speaker: null }, eve)).toBeNull();
  expect(authorOf({ role: "user", speaker: null }, { userId: null, names: [] })).toBeNull();
});

it("who may be named takes part now, or did when it was said", () => {
  const speakers: Speakers = {
    acting: { userId: null, externalId: "new", names: ["new"] },
    named: new Map([
      ["here", { userId: 1, takesPart: true, leftAt: null }],
      ["back", { userId: 2, takesPart: true, leftAt: 5 }],
      ["gone", { userId: 3, takesPart: false, leftAt: 10 }],
      ["stranger", { userId: 4, takesPart: false, leftAt: null }],
    ]),
  };
  const named = (userId: string, at = 8, role = "user") => namedSpeaker(speakers, { userId, role, at, path: "messages[0]." });
  expect([named("new"), named("here"), named("back"), named("gone"), named("gone", 10)]).toEqual(["acting", 1, 2, 3, 3]);
  for (const refused of [
    () => named("gone", 11),
    () => named("stranger"),
    () => named("unknown"),
    () => named("here", 8, "tool"),
  ])
    expect(refused).toThrow(
      expect.objectContaining({ code: "unprocessable", fields: [expect.objectContaining({ path: "messages[0].userId" })] }),
    );
});
