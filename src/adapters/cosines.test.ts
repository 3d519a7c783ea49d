import { expect, it } from "vitest";
import { cosinesOf } from "./cosines.ts";

it.each(["all-minilm", "all-minilm:l6-v2", "all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2"])("knows %s", (name) => {
  expect(cosinesOf(name)).toEqual({ unrelated: 0.05, floor: 0.2 });
});

it("does not take a model for another of the same family", () => {
  expect(cosinesOf("all-minilm-l12-v2")).toEqual(cosinesOf("no-such-model"));
});

it("lets the configuration replace what it names", () => {
  expect(cosinesOf("@cf/qwen/qwen3-embedding-0.6b", { floor: 0.4 })).toEqual({ unrelated: 0.14, floor: 0.4 });
});
