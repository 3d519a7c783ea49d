import { expect, it } from "vitest";
import { vectorIdOf } from "#domain/indexing";
import { CHUNKS_PER_SESSION, firstChunkOf, sessionOf } from "./chunk-id.ts";
import { chunkOf, EPISODES } from "./index-episodes.ts";

it.each([0, 1, CHUNKS_PER_SESSION - 1])("a chunk knows its session and no other: %d", (seq) => {
  for (const session of [1, 2, 2 ** 31 - 1]) {
    const chunk = firstChunkOf(session) + seq;
    expect([Number.isSafeInteger(chunk), sessionOf(chunk), chunkOf(vectorIdOf(EPISODES, chunk))]).toEqual([true, session, chunk]);
  }
});

it.each(["mem:5", "epi:", "epi:5x", "epi:-5", "EPI:5", "epi:12345678901234567"])("%s names no chunk", (vectorId) => {
  expect(chunkOf(vectorId)).toBeNull();
});
