import { expect, it } from "vitest";
import { isByAsker, saidByAsker } from "./read-turns.ts";

const user = (content: string, name?: string) => ({ role: "user", content, ...(name === undefined ? {} : { name }) });
const names = ["Kai"];
const assistant = (content: string) => ({ role: "assistant", content });

it("is what the user says, before the last reply and since", () => {
  const messages = [{ role: "system", content: "s" }, user("one"), assistant("two"), user("three", "Kai"), user("four")];
  expect(saidByAsker(messages, names)).toEqual({ before: ["one"], now: ["three", "four"] });
});

it("is what has no name or one of the acting user's own", () => {
  const messages = [user("one", "Kai"), user("two", "Kim"), assistant("so"), user("three"), user("four", "KAI")];
  expect(saidByAsker(messages, names)).toEqual({ before: ["one"], now: ["three", "four"] });
  expect(messages.map((turn) => isByAsker(turn, names))).toEqual([true, false, false, true, true]);
});

it("is the end of a long conversation", () => {
  const messages = [user("a".repeat(30_000)), user("b".repeat(30_000)), user("c")];
  expect(saidByAsker(messages, names).now.map((text) => text[0])).toEqual(["b", "c"]);
});
