import { describe, expect, it } from "vitest";
import { batchEpisodes } from "./batch-episodes.ts";
import { type EpisodeToRead, type Participant, presenceAt, type Stay } from "./read-episodes.ts";

describe("who took part when words were stored", () => {
  const cases: [string, Stay[], number, [boolean, boolean]][] = [
    ["joined at that moment", [[5, null]], 5, [true, true]],
    ["joined afterwards", [[6, null]], 5, [false, false]],
    ["has left since", [[1, 6]], 5, [true, true]],
    ["had left at that moment", [[1, 5]], 5, [false, true]],
    [
      "had left and came back since",
      [
        [1, 3],
        [7, null],
      ],
      5,
      [false, true],
    ],
    ["takes part, where it is asked for now", [[7, null]], Number.POSITIVE_INFINITY, [true, true]],
    ["has left, where it is asked for now", [[1, 7]], Number.POSITIVE_INFINITY, [false, true]],
  ];

  it.each(cases)("whoever %s", (_, stays, at, [tookPart, hadJoined]) => {
    expect(presenceAt(stays, at)).toEqual({ tookPart, hadJoined });
  });
});

describe("what a model reads together", () => {
  const eve: Participant = {
    ...{ userId: 3, externalId: "eve", personId: 3, personPublicId: "per_eve", name: "Eve", names: ["Eve"], keys: ["eve"] },
    ...{ takesPart: true, isMember: false, tookPart: true, hadJoined: true },
  };
  const episode = (id: number, isThere: boolean): EpisodeToRead => ({
    ...{ id, publicId: `epi_${id}`, messages: [], range: 0, by: 1, redactions: 0 },
    place: {
      ...{ sessionId: 1, externalId: "team", kind: "group", ownerId: 1, project: null },
      people: [{ ...eve, tookPart: isThere, hadJoined: isThere }],
    },
  });

  it("ends where somebody joined, so that a name means in all of it who was there", () => {
    const runs = batchEpisodes([episode(1, false), episode(2, false), episode(3, true), episode(4, true)]);
    expect(runs.map(({ episodes }) => episodes.map(({ id }) => id))).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });
});
