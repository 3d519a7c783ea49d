import { describe, expect, it } from "vitest";
import type { RankedHit } from "./hit.ts";
import { putCurrent } from "./put-current.ts";

const ranked = { factors: [], similar: 0, channels: {} };
/** Only what the order depends on. */
const passage = (id: number, text: string, score: number, role = "user") =>
  ({ ...ranked, kind: "episode", id, episodeId: `epi_${id}`, text, score, role }) as unknown as RankedHit;
const memory = (id: number, text: string, score = 0) =>
  ({ ...ranked, kind: "memory", id, text, score, memory: { publicId: `mem_${id}`, metadata: {} } }) as unknown as Extract<
    RankedHit,
    { kind: "memory" }
  >;
const replaced = (episode: number, content: string, currentId: number, isGone = false) => ({
  ...{ episodeId: `epi_${episode}`, content, currentId, isGone },
});
const shown = (hits: readonly RankedHit[]) => hits.map(({ text, score }) => [text, score]);

describe("a passage whose statement was replaced", () => {
  const passau = memory(7, "moved to Passau");

  it("gives its place to the current value", () => {
    const found = [passage(1, "we live in Ulm now", 0.9), passage(2, "the tram was late", 0.4)];
    const { hits } = putCurrent(found, { replaced: [replaced(1, "live in Ulm now", 7)], current: [passau] });
    expect(shown(hits)).toEqual([
      ["moved to Passau", 0.9],
      ["the tram was late", 0.4],
    ]);
  });

  it("stands behind it if it says more", () => {
    const text = "we live in Ulm now, and my brother Anton builds harpsichords in the cellar of the old mill";
    const { hits, behind } = putCurrent([passage(1, text, 0.9)], {
      replaced: [replaced(1, "live in Ulm now", 7)],
      current: [passau],
    });
    expect(shown(hits).map(([shownText]) => shownText)).toEqual(["moved to Passau", text]);
    expect([...behind]).toEqual([["epi_1", "mem_7"]]);
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
    expect(putCurrent(found, { replaced: [replaced(1, "live in Ulm now", 7, true)], current: [] }).hits).toEqual([]);
    expect(putCurrent(found, { replaced: [replaced(1, "live in Ulm now", 7)], current: [] }).hits).toEqual(found);
  });

  it("is another passage than the one beside it, and none of the assistant's", () => {
    const found = [passage(1, "the tram to Ulm was late", 0.9), passage(2, "You live in Ulm now.", 0.8, "assistant")];
    const old = [replaced(1, "live in Ulm now", 7), replaced(2, "live in Ulm now", 7)];
    expect(putCurrent(found, { replaced: old, current: [passau] }).hits).toEqual(found);
  });
});
