import { expect, it } from "vitest";
import { wordsAskedBy } from "./asked-words.ts";

const asks = (key: string) => new Set(wordsAskedBy(key).split(" "));

it("a key brings the words that people ask it by in every language, whatever it calls its slot", () => {
  for (const key of ["identity:home", "identity:location", "identity:homeTown", "city"])
    for (const word of ["live", "near", "wohne", "vivo", "habite", "住"]) expect(asks(key), `${key} ${word}`).toContain(word);
  expect(asks("identity:occupation")).toContain("beruf");
  expect(asks("identity:home")).not.toContain("beruf");
});

it("it has its own words, without the type before the colon and the project behind the @", () => {
  expect(wordsAskedBy("preference:favorite_tea@garden")).toBe("favorite tea");
  expect(wordsAskedBy("shoeSize")).toBe("shoe size");
  expect(wordsAskedBy("颜色")).toBe("颜色");
});
