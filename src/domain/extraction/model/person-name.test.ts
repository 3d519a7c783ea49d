import { describe, expect, it } from "vitest";
import { isIdLike, isOfSpeaker, isPersonName } from "./person-name.ts";

describe("names of persons", () => {
  it.each([
    "Ana",
    "Uncle Bob",
    "Dr. Ngũgĩ",
    "May",
    "R2",
    "Jo3",
    "老王",
    "李雷",
    "María José",
    "O'Neill",
    "Anne-Marie",
    "C.J. Cregg",
  ])("%s is one", (name) => {
    expect(isPersonName(name)).toBe(true);
  });

  it.each(
    ["I", "me", "my father", "mum", "Mum", "he", "she", "his wife", "my mother-in-law", "the user", "user 1", "speaker"]
      .concat(["q3-1", "user_42", "u1", "user7", "a@b.example", "01J8ZK3", "ich", "meine Mutter", "er", "mi hermano", "ella"])
      .concat(["ma sœur", "il", "我", "我妈妈", "他", "his son's teacher", "…"]),
  )("%s is none", (name) => {
    expect(isPersonName(name)).toBe(false);
  });

  it("are no ids", () => {
    expect(["q3-1", "@q3-1", "one-m001", "5512345"].map(isIdLike)).toEqual([true, true, true, true]);
    expect(["Ana", "Anne-Marie", "Louis XIV", "R2 D2"].map(isIdLike)).toEqual([false, false, false, false]);
  });

  it("are not needed for who is known by their relationship to the speaker", () => {
    expect(["I", "mum", "the user", "我妈", "我"].map(isOfSpeaker)).toEqual([true, true, true, true, true]);
    expect(["we", "Ana", "q3-1"].map(isOfSpeaker)).toEqual([false, false, false]);
  });
});
