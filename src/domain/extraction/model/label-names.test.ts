import { expect, it } from "vitest";
import { labelNames, unlabelled } from "./label-names.ts";
import type { ModelAsk, ModelMemory } from "./types.ts";

const ask: ModelAsk = {
  transcript: [
    { index: 0, role: "user", speaker: "q3-1", text: "I am a nurse", at: 0 },
    { index: 1, role: "user", speaker: "Ana", text: "Me too", at: 0 },
  ],
  now: 0,
  known: [{ id: "K1", content: "Likes tea", about: ["q3-2", "Ana"], stated: "q3-1" }],
  people: ["Ana", "q3-1"],
  withEntities: false,
};
const memory = (content: string, subjects: string[], message = 0): ModelMemory => ({
  ...{ type: "identity", content, quote: "I am a nurse", confidence: 1, sensitivity: "public", portable: true },
  ...{ subjects, key: null, replaces: [], message },
});

it("shows labels in place of ids, and names as they are", () => {
  const { shown } = labelNames(ask);
  expect(shown.transcript.map(({ speaker }) => speaker)).toEqual(["user 1", "Ana"]);
  expect(shown.people).toEqual(["Ana", "user 1"]);
  expect(shown.known).toMatchObject([{ about: ["user 2", "Ana"], stated: "user 1" }]);
});

it("returns the ids as subjects, and never in a text", () => {
  const labelled = labelNames(ask);
  expect(unlabelled(memory("Is a nurse", ["User 1", "Ana"]), labelled)?.subjects).toEqual(["q3-1", "Ana"]);
  expect(unlabelled(memory("User 1 is a nurse", ["user 1"]), labelled)?.content).toBe("Is a nurse");
  expect(unlabelled(memory("user 1 is a nurse", [], 1), labelled)).toBeNull();
  expect(unlabelled(memory("q3-1 is my father", []), labelled)).toBeNull();
});
