import { expect, it } from "vitest";
import { ACTING_USER } from "#domain/facts";
import { authorOf, namesOther, type SpeakerRow, type Speakers, speakerOf } from "./said-by.ts";

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

const person = (userId: number, externalId: string, more: Partial<SpeakerRow> = {}) =>
  [
    externalId,
    { userId, externalId, name: externalId, appName: null, isActing: false, takesPart: true, leftAt: null, ...more },
  ] as const;

const speakersOf = (isAlone: boolean): Speakers => ({
  acting: { userId: 5, externalId: "new", names: ["Anna", "new"], isAlone },
  named: new Map([
    person(1, "here", { name: "User", appName: "Anna" }),
    person(2, "back", { leftAt: 5 }),
    person(3, "gone", { takesPart: false, leftAt: 10 }),
    person(4, "stranger", { takesPart: false }),
    person(5, "new", { isActing: true, name: "Anna", appName: "Nia" }),
  ]),
});

const path = "messages[0].";
const refusedAt = (field: string) =>
  expect.objectContaining({ code: "unprocessable", fields: [expect.objectContaining({ path: `${path}${field}` })] });

it("who may be named takes part now, or did when it was said", () => {
  const named = (userId: string, at = 8, role: "user" | "tool" = "user") =>
    speakerOf(speakersOf(false), { userId, role, at, path });
  expect([named("new"), named("here"), named("back"), named("gone"), named("gone", 10)]).toEqual([ACTING_USER, 1, 2, 3, 3]);
  for (const refused of [
    () => named("gone", 11),
    () => named("stranger"),
    () => named("unknown"),
    () => named("here", 8, "tool"),
    () => named("new", 8, "tool"),
  ])
    expect(refused).toThrow(refusedAt("userId"));
});

it("without a user it is the acting user's, unless the label of a server key says that it is not", () => {
  const labelled = (speaker: string | undefined, isAlone: boolean, role: "user" | "assistant" = "user") =>
    speakerOf(speakersOf(isAlone), { role, speaker, at: 8, path });
  for (const isAlone of [true, false]) {
    expect([labelled(undefined, isAlone), labelled("NEW", isAlone)]).toEqual([ACTING_USER, ACTING_USER]);
    expect(labelled("Anna", isAlone, "assistant")).toBeNull();
    for (const name of ["anna", "here", "GONE"]) expect(() => labelled(name, isAlone), name).toThrow(refusedAt("speaker"));
  }
  const others = ["Zoe", "Nia", "User", "stranger"];
  expect(others.map((label) => labelled(label, true))).toEqual([ACTING_USER, ACTING_USER, ACTING_USER, ACTING_USER]);
  expect(others.map((label) => labelled(label, false))).toEqual([null, null, null, null]);
});

it("only what the app calls somebody counts; a server that names the user has said who it was", () => {
  const called = (appName: string | null): Speakers => {
    const { acting, named } = speakersOf(true);
    return {
      acting,
      named: new Map([...named, person(5, "new", { isActing: true, appName }), person(6, "6", { appName: "Nia" })]),
    };
  };
  expect([namesOther(called("Nia"), "nia"), namesOther(called(null), "nia")]).toEqual([false, true]);
  const both = { userId: "new", role: "user", speaker: "Anna", at: 8, path } as const;
  expect(speakerOf(speakersOf(false), both)).toBe(ACTING_USER);
  expect(() => speakerOf(speakersOf(true), both)).toThrow(refusedAt("speaker"));
});
