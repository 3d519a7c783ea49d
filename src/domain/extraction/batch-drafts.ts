import type { MemoryDraftInput } from "#domain/memories";
import type { Participant, Place } from "./read-episodes.ts";

/** A draft with what its outcome is told to; `draftIn` is what it would be where its session is by then. */
export type Entry<From> = {
  speaker: Participant;
  draft: MemoryDraftInput;
  draftIn: (place: Place) => MemoryDraftInput;
  from: From;
};

/** Drafts that one call may store: each that changes a memory is a dozen statements, and an invocation has a thousand. */
const MAX_DRAFTS = 40;

/**
 * Divides drafts into calls, the oldest first: each of one speaker and one session, and each key once, so that what was said later
 * comes to be said later.
 */
export function batchDrafts<From>(entries: readonly Entry<From>[]): Entry<From>[][] {
  const inOrder = entries.toSorted((a, b) => Date.parse(a.draft.validFrom ?? "") - Date.parse(b.draft.validFrom ?? ""));
  const places = Map.groupBy(inOrder, ({ speaker, draft }) => JSON.stringify([speaker.userId, draft.learnedIn?.sessionId]));
  return [...places.values()].flatMap(splitAtKeys);
}

function splitAtKeys<From>(entries: readonly Entry<From>[]): Entry<From>[][] {
  const calls: Entry<From>[][] = [];
  let keys = new Set<string>();
  for (const entry of entries) {
    const { key, sessionId } = entry.draft;
    const name = key === undefined ? null : JSON.stringify([sessionId, key]);
    const call = calls.at(-1);
    if (call === undefined || call.length >= MAX_DRAFTS || (name !== null && keys.has(name))) {
      calls.push([entry]);
      keys = new Set();
    } else call.push(entry);
    if (name !== null) keys.add(name);
  }
  return calls;
}
