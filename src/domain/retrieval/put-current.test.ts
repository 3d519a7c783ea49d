import { describe, expect, it } from "vitest";
import type { RankedHit } from "./hit.ts";
import { putCurrent } from "./put-current.ts";

const ranked = { factors: [], similar: 0, channels: {} };
/** Only what the order depends on. */
const passage = (id: number, text: string, score: number, role = "user") =>
  ({ ...ranked, kind: "episode", id, episodeId: `epi_${id}`, text, score, role }) as unknown as RankedHit;
const memory = (id: number, text: string, score = 0, more: object = {}) =>
  ({
    ...{ ...ranked, kind: "memory", id, text, score },
    memory: { publicId: `mem_${id}`, id, key: null, metadata: {}, validFrom: 0, ...more },
  }) as unknown as Extract<RankedHit, { kind: "memory" }>;
const replaced = (episode: number, content: string, currentId: number, more: { isGone?: true; isPart?: true } = {}) => ({
  ...{ episodeId: `epi_${episode}`, memoryId: 50 + episode, content, currentId, isGone: false, isPart: false, ...more },
});
const shown = (hits: readonly RankedHit[]) => hits.map(({ text, score }) => [text, score]);

describe("a passage whose statement was replaced", () => {
  const passau = memory(7, "moved to Passau");

  it("gives its place to the current value", () => {
    const found = [passage(1, "we live in Ulm now", 0.9), passage(2, "the tram was late", 0.4)];
    const { hits, heldBack } = putCurrent(found, { replaced: [replaced(1, "live in Ulm now", 7)], current: [passau] });
    expect(shown(hits)).toEqual([
      ["moved to Passau", 0.9],
      ["the tram was late", 0.4],
    ]);
    expect(heldBack.map(({ hit, by }) => [hit.text, by])).toEqual([["we live in Ulm now", "mem_7"]]);
  });

  it("stands behind it if it says more", () => {
    const text = "we live in Ulm now, and my brother Anton builds harpsichords in the cellar of the old mill";
    const { hits, heldBack } = putCurrent([passage(1, text, 0.9)], {
      replaced: [replaced(1, "live in Ulm now", 7)],
      current: [passau],
    });
    expect(hits.map(({ text: shownText, older }) => [shownText, older])).toEqual([
      ["moved to Passau", undefined],
      [text, { by: "mem_7" }],
    ]);
    expect(heldBack).toEqual([]);
  });

  it.each([
    ["the memory says more than one thing too", "I'm vegetarian and allergic to nuts", "I'm vegetarian and allergic to nuts"],
    ["it is attached", "I live in Ulm with my asthmatic son", "I live in Ulm with my asthmatic son"],
    ["it is attached by a relative clause", "I'm a vegan who can't have nuts", "I'm a vegan who can't have nuts"],
    ["it stands in the memory before it", "soy vegetariana y celíaca", "soy vegetariana y celíaca"],
  ])("stands behind it although all its words were replaced, where %s", (_, text, content) => {
    const { hits } = putCurrent([passage(1, text, 0.9)], { replaced: [replaced(1, content, 7)], current: [passau] });
    expect(hits.map(({ text: shownText, older }) => [shownText, older])).toEqual([
      ["moved to Passau", undefined],
      [text, { by: "mem_7" }],
    ]);
  });

  it("stands behind it if only a part of the statement was replaced", () => {
    const { hits } = putCurrent([passage(1, "we live in Ulm now", 0.9)], {
      replaced: [replaced(1, "live in Ulm now", 7, { isPart: true })],
      current: [passau],
    });
    expect(shown(hits).map(([text]) => text)).toEqual(["moved to Passau", "we live in Ulm now"]);
  });

  it("stands behind it for one word more, which may be all that matters", () => {
    const text = "we live in Ulm now, no peanuts please";
    const { hits } = putCurrent([passage(1, text, 0.9)], { replaced: [replaced(1, "live in Ulm now", 7)], current: [passau] });
    expect(shown(hits).map(([shownText]) => shownText)).toEqual(["moved to Passau", text]);
  });

  it("brings a memory that was found lower up, once", () => {
    const found = [passage(1, "we live in Ulm now", 0.9), memory(7, "moved to Passau", 0.2)];
    const { hits } = putCurrent(found, { replaced: [replaced(1, "live in Ulm now", 7)], current: [passau] });
    expect(shown(hits)).toEqual([["moved to Passau", 0.9]]);
  });

  it("goes too if what replaced it was forgotten, and stays if that is not for this viewer", () => {
    const found = [passage(1, "we live in Ulm now", 0.9)];
    expect(putCurrent(found, { replaced: [replaced(1, "live in Ulm now", 7, { isGone: true })], current: [] }).hits).toEqual([]);
    expect(putCurrent(found, { replaced: [replaced(1, "live in Ulm now", 7)], current: [] }).hits).toEqual(found);
  });

  it("stays without a current value, marked as older, if it says more and what replaced a part of it was forgotten", () => {
    const text = "we live in Ulm now, no peanuts please";
    const old = [replaced(1, "live in Ulm now", 7, { isGone: true })];
    const { hits } = putCurrent([passage(1, text, 0.9)], { replaced: old, current: [] });
    expect(hits.map(({ older }) => older)).toEqual([{ by: null }]);
  });

  it("is another passage than the one beside it, and none of the assistant's", () => {
    const found = [passage(1, "the tram to Ulm was late", 0.9), passage(2, "You live in Ulm now.", 0.8, "assistant")];
    const old = [replaced(1, "live in Ulm now", 7), replaced(2, "live in Ulm now", 7)];
    expect(putCurrent(found, { replaced: old, current: [passau] }).hits).toEqual(found);
  });
});

describe("a memory that says more than the value of a key", () => {
  const old = memory(1, "I live in Ulm with my asthmatic son", 0.9, { metadata: { states: ["identity:home"] }, validFrom: 1 });

  it("stands behind a found memory that gives a newer value, marked as older", () => {
    const current = memory(2, "moved to Passau", 0.2, { key: "identity:home", validFrom: 2 });
    const { hits } = putCurrent([old, current], { replaced: [], current: [] });
    expect(hits.map(({ text, older }) => [text, older])).toEqual([
      ["moved to Passau", undefined],
      [old.text, { by: "mem_2" }],
    ]);
  });

  it("stands behind one that was not found", () => {
    const part = { ...replaced(1, old.text, 7, { isPart: true }), memoryId: 1 };
    const { hits } = putCurrent([old], { replaced: [part], current: [memory(7, "moved to Passau")] });
    expect(hits.map(({ text, older }) => [text, older])).toEqual([
      ["moved to Passau", undefined],
      [old.text, { by: "mem_7" }],
    ]);
  });

  it("is as it was beside what says nothing of its keys", () => {
    const other = memory(2, "I'm a welder", 0.2, { key: "identity:occupation", validFrom: 2 });
    expect(putCurrent([old, other], { replaced: [], current: [] }).hits).toEqual([old, other]);
  });
});
