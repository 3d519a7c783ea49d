import { describe, expect, it } from "vitest";
import { createDuplicateCheck, memoriesFirst } from "./duplicates.ts";
import type { Candidate } from "./write-block.ts";

const candidate = (text: string, more: Partial<Candidate> = {}): Candidate => ({
  ...{
    kind: "memory",
    id: "mem_1",
    text,
    occurredAt: "2026-03-01T00:00:00.000Z",
    type: "knowledge",
    saidBy: null,
    notedBy: null,
    about: [],
  },
  ...{ episodeId: null, isInstruction: false, ...more },
});
const passage = (text: string, episodeId = "epi_1") => candidate(text, { kind: "episode", id: episodeId, episodeId, type: null });

describe("what the conversation says is not told again", () => {
  const conversation = [
    "I prefer dark mode. Who likes tea?",
    "The otter looked at the stones for a while and then swam on under the bridge.",
    "yes",
  ];
  const repeats = createDuplicateCheck(conversation);

  it.each([
    ["a whole message", "The otter looked at the stones for a while and then swam on under the bridge."],
    ["a sentence", "I prefer  DARK mode"],
    ["a part of some length", "looked at the stones for a while and then swam on"],
    ["a short message", "Yes."],
  ])("%s", (_, text) => expect(repeats(candidate(text), [])).toBe("in_conversation"));

  it.each([
    ["what a question asks", "likes tea"],
    ["a few words of a message", "dark mode"],
    ["something else", "The otter sleeps."],
  ])("but %s is", (_, text) => expect(repeats(candidate(text), [])).toBeNull());

  it("and nothing is, without a conversation", () => {
    expect(createDuplicateCheck([])(candidate("I prefer dark mode"), [])).toBeNull();
  });
});

describe("what stands in the block is not told again", () => {
  const repeats = createDuplicateCheck([]);
  const learned = candidate("Alice prefers dark mode", { episodeId: "epi_1" });
  const short = passage("Oh, Alice prefers dark mode.");
  const long = passage("Alice prefers dark mode, but in the evenings she reads on paper and by candle light, as her mother did.");

  it("the same words", () => {
    expect(repeats(candidate("Likes tea."), [passage("likes  tea")])).toBe("repeated");
    expect(repeats(candidate(" "), [])).toBe("repeated");
  });

  it("a passage that is little more than the memory learned from it", () => {
    expect(repeats(short, [learned])).toBe("repeated");
    expect(repeats(long, [learned])).toBeNull();
    expect(repeats(passage("Truly, Alice prefers dark mode everywhere."), [learned])).toBe("repeated");
  });

  it.each([
    [
      "Ich heiße Jens und wohne in Göttingen",
      "Ich heiße Jens und wohne in Göttingen. Ich bin gegen Erdnüsse allergisch.",
      "Ich heiße Jens und wohne in Göttingen. Hallo!",
    ],
    [
      "Alice prefers dark mode on her phone",
      "Alice prefers dark mode on her phone! Bob is ill.",
      "Alice prefers dark mode on her phone! Hi.",
    ],
    ["我喜欢喝绿茶", "我喜欢喝绿茶，不喜欢咖啡。", "我喜欢喝绿茶。"],
    ["我对花生过敏", "我对花生过敏，今年三岁。", "我对花生过敏！"],
  ])("but not a passage of which a sentence says something else: %s", (text, more, same) => {
    const memory = candidate(text, { episodeId: "epi_1" });
    expect([repeats(passage(more), [memory]), repeats(passage(same), [memory])]).toEqual([null, "repeated"]);
  });

  it("a memory that stands in the passage that it was learned from", () => {
    expect(repeats(learned, [short])).toBe("repeated");
    expect(repeats(learned, [long])).toBe("repeated");
    expect(repeats(candidate("Alice uses a blue theme", { episodeId: "epi_1" }), [short])).toBeNull();
    expect(repeats(candidate("Alice prefers dark mode since March", { episodeId: "epi_1" }), [short])).toBeNull();
  });

  it("but of another episode, or of none, it is", () => {
    expect(repeats({ ...learned, episodeId: "epi_2" }, [long])).toBeNull();
    expect(repeats({ ...learned, episodeId: null }, [{ ...long, episodeId: null }])).toBeNull();
    expect(repeats({ ...learned, text: "Alice likes a dark mode" }, [learned])).toBeNull();
  });
});

describe("a memory before the passage that it was learned from", () => {
  const learned = candidate("Alice prefers dark mode", { episodeId: "epi_1" });
  const other = candidate("Alice lives in Rome", { id: "mem_2", episodeId: "epi_2" });
  const short = passage("Oh, Alice prefers dark mode.");
  const long = passage("Alice prefers dark mode, but in the evenings she reads on paper and by candle light, as her mother did.");

  it("where the passage says little more", () => {
    expect(memoriesFirst([short, other, learned])).toEqual([learned, short, other]);
    expect(memoriesFirst([learned, short])).toEqual([learned, short]);
  });

  it("but not where it says much more, or is another's", () => {
    expect(memoriesFirst([long, other, learned])).toEqual([long, other, learned]);
    expect(memoriesFirst([passage(short.text, "epi_3"), learned])).toEqual([passage(short.text, "epi_3"), learned]);
  });
});
