import { expect, it } from "vitest";
import { saidByAsker } from "./said-by-asker.ts";

const user = (content: string, name?: string) => ({ role: "user", content, ...(name === undefined ? {} : { name }) });
const assistant = (content: string) => ({ role: "assistant", content });

it("is what the user says, before the last reply and since", () => {
  const messages = [{ role: "system", content: "s" }, user("one"), assistant("two"), user("three", "Kim"), user("four")];
  expect(saidByAsker(messages, false)).toEqual({ before: ["one"], now: ["three", "four"] });
});

it("is in a group what the one who speaks last says", () => {
  const messages = [user("one", "Kai"), user("two", "Kim"), assistant("so"), user("three"), user("four", "KAI")];
  expect(saidByAsker(messages, true)).toEqual({ before: ["one"], now: ["four"] });
});

it("is the end of a long conversation", () => {
  const messages = [user("a".repeat(30_000)), user("b".repeat(30_000)), user("c")];
  expect(saidByAsker(messages, false).now.map((text) => text[0])).toEqual(["b", "c"]);
});
