import { afterAll, expect, it, vi } from "vitest";
import { MADE_UP_LANGUAGE } from "#test/made-up-language";

vi.mock(import("#core/language/packs"), async (original) => ({ PACKS: [...(await original()).PACKS, MADE_UP_LANGUAGE] }));

// Test files share their modules, which have the packs without it.
vi.resetModules();
afterAll(() => vi.resetModules());

const { takeMemories } = await import("./take-memories.ts");

it("a language that is added to the packs is read by rules", () => {
  const taken = takeMemories([
    { role: "user", text: "Ho, mi logas en Umo. Mia frato nomas Ralo. Memoru ke mi logas en Ezo. Vel mi logas en Uro." },
  ]);
  expect(taken.map(({ content, key, people }) => [content, key, people])).toEqual([
    ["mi logas en Umo", "identity:home", []],
    ["Mia frato nomas Ralo", null, [{ name: "Ralo", relationship: "frato" }]],
    ["mi logas en Ezo", "identity:home", []],
  ]);
});
