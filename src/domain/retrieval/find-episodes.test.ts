import { describe, expect, it } from "vitest";
import { CHUNKS_PER_SESSION } from "#domain/sessions";
import { areAll, LATEST } from "./find-episodes.ts";

/** Ids of the last `shown` of `said` passages of a session. */
function passages(session: number, said: number, shown = said): { id: number }[] {
  return Array.from({ length: shown }, (_, i) => ({ id: session * CHUNKS_PER_SESSION + said - shown + i }));
}

describe("areAll", () => {
  it("is so where every session is shown from its first passage", () => {
    expect(areAll([...passages(1, 9), ...passages(2, 4)])).toBe(true);
  });

  it("is not so where a session began before what is shown", () => {
    expect(areAll(passages(1, 90, 10))).toBe(false);
  });

  it("is not so where as many came back as were asked for: older ones may have been cut off", () => {
    expect(areAll([1, 2, 3, 4].flatMap((session) => passages(session, LATEST.limit / 4)))).toBe(false);
  });

  it("is not so where as many sessions came back as were asked for", () => {
    expect(areAll(Array.from({ length: LATEST.sessions }, (_, i) => ({ id: (i + 1) * CHUNKS_PER_SESSION })))).toBe(false);
  });
});
