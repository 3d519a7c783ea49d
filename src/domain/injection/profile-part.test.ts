import { expect, it } from "vitest";
import { limiting, type ProfileItem, withinProfile } from "./profile-part.ts";

type Item = ProfileItem<{ text: string }>;
const item = (section: Item["section"], text: string): Item => ({ section, text, limits: null });
/** Each item costs its length, and nothing repeats. */
const within = (items: readonly Item[], more: Partial<Parameters<typeof withinProfile<{ text: string }>>[1]> = {}) => {
  const { items: taken, tokens } = withinProfile(items, {
    ...{ maxTokens: 110, limit: 100, heading: 10, costOf: ({ text }) => text.length, repeats: () => false, ...more },
  });
  return { texts: taken.map(({ text }) => text), tokens };
};
const long = (letter: string) => letter.repeat(20);

it("wishes are taken first, up to three fifths, and again when all others had their turn", () => {
  const wishes = ["a", "b", "c", "d", "e"].map((letter) => item("wishes", long(letter)));
  const others = ["x", "y", "z"].map((letter) => item("identity", long(letter)));
  expect(within([...others, ...wishes]).texts).toEqual([...["a", "b", "c", "x", "y"].map(long)]);
  expect(within([...others.slice(0, 1), ...wishes]).texts).toEqual([...["a", "b", "c", "d", "x"].map(long)]);
});

it("it is read by section, and what does not fit is skipped", () => {
  const items = [item("current", "run"), item("people", "p".repeat(200)), item("identity", "home"), item("preferences", "tea")];
  expect(within(items)).toEqual({ texts: ["home", "tea", "run"], tokens: 20 });
  expect(within(items, { limit: 1 }).texts).toEqual(["run"]);
});

it("what stands in the block is not repeated, and nothing costs nothing", () => {
  const items = [item("identity", "home"), item("identity", "job")];
  expect(within(items, { repeats: ({ text }) => text === "home" }).texts).toEqual(["job"]);
  expect(within(items, { maxTokens: 12 })).toEqual({ texts: [], tokens: 0 });
});

it("a small budget has what limits the answer, and advice only where the question asks for some", () => {
  const items = [
    { ...item("wishes", "short"), limits: "answers" as const },
    { ...item("identity", "gout"), limits: "advice" as const },
    item("people", "Jana"),
  ];
  const asked = { assistant: false, amount: false, person: false, known: false, self: true };
  expect(limiting(items, asked).map(({ text }) => text)).toEqual(["short", "gout"]);
  expect(limiting(items, { ...asked, known: true }).map(({ text }) => text)).toEqual(["short"]);
});
