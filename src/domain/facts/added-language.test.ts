import { afterAll, expect, it, vi } from "vitest";
import { MADE_UP_LANGUAGE } from "#test/made-up-language";

vi.mock(import("#core/language/packs"), async (original) => ({ PACKS: [...(await original()).PACKS, MADE_UP_LANGUAGE] }));

// Test files share their modules, which have the packs without it.
vi.resetModules();
afterAll(() => vi.resetModules());

const { readLists } = await import("./read-lists.ts");
const { routeQuestion } = await import("./route-question.ts");
const { createTopicIndex } = await import("./topics.ts");

it("a language that is added to the packs is read by lists and their questions", () => {
  const topicIndex = createTopicIndex([]);
  expect(readLists("Mia favora koloro esta blua, poste verda", topicIndex)).toEqual([
    {
      topic: "favorite_colors",
      items: [
        { rank: 1, value: "blua" },
        { rank: 2, value: "verda" },
      ],
      whole: true,
    },
  ]);
  expect(routeQuestion("Kiaj mia favora koloro?", topicIndex)).toEqual({ ask: "list", topic: "favorite_colors" });
});
