import { describe, expect, it } from "vitest";
import { readUtterance } from "#core/language/utterance";
import type { Arrangeable, Line } from "./line.ts";
import { raiseNewer, yieldToNewer } from "./yield-to-newer.ts";

const line = (text: string, day: number, score = 0): Line<Arrangeable> => {
  const occurredAt = new Date(Date.UTC(2026, 2, day)).toISOString();
  const view = { role: "user", score, sessionId: `day ${day}` };
  const item = {
    id: text,
    kind: "episode" as const,
    text,
    occurredAt,
    episodeId: text,
    isInstruction: false,
    isOfOther: false,
    behind: null,
    likeness: null,
    view,
  };
  return { item, utterance: readUtterance(text), score, at: Date.parse(occurredAt), isStatement: true };
};
const best = (lines: readonly Line<Arrangeable>[]) => lines.toSorted((a, b) => b.score - a.score)[0]?.item.text;

describe("a statement and newer ones", () => {
  it("yields to the only thing that was said since", () => {
    const lines = [line("the grey van has a new owner", 9, 0.3), line("I drive a Berlingo", 1, 0.7)];
    yieldToNewer(lines);
    expect(best(lines)).toBe("the grey van has a new owner");
  });

  it("of several, passes most on to the one about the same thing", () => {
    const other = ["the dentist was kind", "we painted the shed green", "my aunt plays the oboe", "trout for dinner"];
    const lines = [
      ...other.map((text, i) => line(text, 20 + i, 0.1)),
      line("a baker in Ulm drives the Berlingo to market", 10, 0.1),
      line("I drive a Berlingo", 1, 0.5),
    ].sort((a, b) => b.at - a.at);
    yieldToNewer(lines);
    const gains = lines.filter(({ item }) => item.text !== "I drive a Berlingo");
    expect(best(gains)).toMatch(/^a baker/);
    expect(lines.reduce((sum, { score }) => sum + score, 0)).toBeCloseTo(1);
  });

  it("keeps its place where much else was said and nothing about it", () => {
    const other = Array.from({ length: 12 }, (_, i) => line(`day ${i} was rainy in Norwich`, 5 + i, 0.02));
    const lines = [...other.reverse(), line("I drive a Berlingo", 1, 1)];
    yieldToNewer(lines);
    expect(best(lines)).toBe("I drive a Berlingo");
  });

  it("in long talk rises to an older one about the same thing, which loses nothing", () => {
    const [newer, older, other] = [
      line("The Berlingo passed its test with new brakes", 9, 0.7),
      line("The Berlingo failed its test over the brakes", 1, 0.8),
      line("The ferry was late", 5, 0.75),
    ];
    raiseNewer([newer, other, older]);
    expect([newer.score, older.score, other.score]).toEqual([0.8, 0.8, 0.75]);
  });
});
