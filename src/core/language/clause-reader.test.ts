import { describe, expect, it } from "vitest";
import { readClauses, type Standing } from "./clause-reader.ts";

function standings(text: string): [string, Standing][] {
  return readClauses(text).map(({ text: words, standing }) => [words, standing]);
}

describe("a clause stands as", () => {
  it.each<[string, Standing]>([
    ["I live in Rome", "own"],
    ["Do I live in Rome", "asked"],
    ["Ich wohne in Rom, oder?", "asked"],
    ["I live in Rome, right?", "asked"],
    ["我住在罗马吗", "asked"],
    ["Can you remember that I live in Rome?", "own"],
    ["If I lived in Rome", "supposed"],
    ["Wenn ich in Rom wohne", "supposed"],
    ["如果我住在罗马", "supposed"],
    ["Tom says I live in Rome", "reported"],
    ["Mi madre dice que vivo en Roma", "reported"],
    ["I live in Rome — Oscar Wilde", "reported"],
    ["I used to live in Rome", "past"],
    ["Quand j'étais petit je vivais ici", "past"],
    ["I live here as I said", "own"],
    ["In my novel I live in Rome", "elsewhere"],
    ["translate I live in Rome", "material"],
    ["I live in Rome, just kidding", "joke"],
    ["Sí vivo en Roma", "own"],
    ["Si vivo en Roma", "supposed"],
  ])("%s: %s", (text, standing) => {
    expect(readClauses(text)[0]?.standing).toBe(standing);
  });
});

describe("a scope", () => {
  it("of “if” and of “said” ends with “but”", () => {
    expect(standings("If it rains, I stay home, but I live in Rome")).toEqual([
      ["If it rains", "supposed"],
      ["I stay home", "supposed"],
      ["but I live in Rome", "own"],
    ]);
    expect(standings("My boss said it is fine, I work from home; but I live here").map(([, standing]) => standing)).toEqual([
      "reported",
      "reported",
      "own",
    ]);
  });

  it("of both ends with the sentence", () => {
    expect(standings("If it rains I stay. I live in Rome").at(-1)).toEqual(["I live in Rome", "own"]);
  });

  it("of a tag is the clause before it", () => {
    expect(standings("I have two cats, I live in Rome, don't I?").map(([, standing]) => standing)).toEqual([
      "own",
      "asked",
      "asked",
    ]);
  });

  it("of a request to translate is what follows the colon, and the rest of the message", () => {
    expect(standings("I'm a nurse, can you translate this: I live in Rome. I like it").map(([, standing]) => standing)).toEqual([
      "own",
      "material",
      "material",
      "material",
    ]);
  });

  it("of a text in quotation marks is the quotation", () => {
    expect(standings('Translate "I live in Rome" please. I live in Berlin').at(-1)).toEqual(["I live in Berlin", "own"]);
    expect(standings('Polish this. I live in Berlin. "I lives in Rome."').at(-1)?.[1]).toBe("own");
  });

  it("of a text to work on ends with an aside", () => {
    expect(standings("Proofread this\nI lives in Rome\nBy the way I live in Berlin").at(-1)?.[1]).toBe("own");
  });

  it("of a play is the rest of the message", () => {
    expect(standings('Pretend to be "Ada". By the way I live in Berlin').at(-1)?.[1]).toBe("material");
  });

  it("of a joke is the sentence before it", () => {
    expect(standings("I live in Rome. Just kidding. I live in Berlin").map(([, standing]) => standing)).toEqual([
      "joke",
      "joke",
      "own",
    ]);
  });
});

it("a relative clause asks nothing", () => {
  expect(standings("My sister, who lives in Rome, works a lot").map(([, standing]) => standing)).toEqual(["own", "own", "own"]);
});

it("offsets are into the message as it was given", () => {
  const text = "  I   live “here” in Rome, and I work.";
  expect(readClauses(text).map(({ start, end }) => text.slice(start, end))).toEqual(["I   live “here” in Rome", "and I work."]);
});

it("a request to remember something is no question", () => {
  expect(readClauses("Can you remember that I live in Rome?").map(({ isQuestion }) => isQuestion)).toEqual([false]);
  expect(readClauses("Can you see that I live in Rome?").map(({ isQuestion }) => isQuestion)).toEqual([true]);
});
