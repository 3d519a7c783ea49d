import { expect, it } from "vitest";
import { listSaid } from "./said-here.ts";
import { createTopicIndex } from "./topics.ts";

const topicIndex = createTopicIndex([]);
const values = (texts: string[], topic: string | null = "favorite_colors") =>
  listSaid(texts, { topic, topicIndex })?.list.facts.map(({ rank, value }) => `${rank} ${value}`);

it("is what the conversation comes to, the later message first", () => {
  expect(values(["My favorite colors are 1) Teal 2) Plum", "My second favorite color is Rust."])).toEqual(["1 Teal", "2 Rust"]);
  expect(values(["My favorite colors are 1) Teal 2) Plum 3) Rust", "My favorite colors are 1) Red 2) Sand"])).toEqual([
    "1 Red",
    "2 Sand",
  ]);
  expect(values(["Hello", "What's my second favorite color?"])).toBe(undefined);
  expect(values(["My favorite colors are 1) Teal 2) Plum"], "favorite_foods")).toBe(undefined);
});

it("is of the topic last spoken of, where none is asked for", () => {
  const said = ["My favorite foods are 1) Rice 2) Peas", "My favorite colors are 1) Teal 2) Plum"];
  expect(listSaid(said, { topic: null, topicIndex })).toMatchObject({ topic: "favorite_colors", whole: true });
  expect(listSaid(["My third favorite color is Rust."], { topic: null, topicIndex })).toMatchObject({ whole: false });
});
