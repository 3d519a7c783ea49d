import { AppError, breaksRule } from "#core/errors";
import { stricter } from "#core/safety/sensitivity";
import { type UserRef, userNotNamed } from "#domain/tenants";
import type { Writer } from "./access.ts";
import { aboutHash, alternateHashesOf, contentHash, guessHash } from "./content-hash.ts";
import type { MemoryDraftInput } from "./schemas.ts";
import { complete, parseGiven, type Values } from "./values.ts";

/** One memory of a call, and its path in the call (`""`, or `memories[3].`). */
export type DraftInput = { input: MemoryDraftInput; path: string };

/** The space of a memory: its owner's, a group session's (by the app's id), or the tenant's. */
export type Home = { ownership: "personal" | "shared" } | { ownership: "group"; sessionExternalId: string };

/** One memory of a call, parsed and hashed, before any lookup. */
export type ParsedDraft = DraftInput & {
  home: Home;
  given: Partial<Values>;
  /** What the caller states, with defaults. */
  own: Values;
  hash: string;
  /** Hash including subjects, used when the same words exist about someone else. */
  aboutHash: string | null;
  /** Hash of the same words when they wait for review under a key that holds other words; null without a key. */
  guessHash: string | null;
  /** Alternate hashes for use beside memories that the writer may not know of: those of `hash`, then those of `guessHash`. */
  alternateHashes: readonly string[];
  /** The position in the call of the draft that this one duplicates; its own, if none. */
  duplicateOf: number;
  /** How many times the call states it; 0 for a duplicate of another draft. */
  times: number;
};

/**
 * Checks that each memory belongs to exactly one space, and that the writer may write there.
 * @throws unprocessable for two spaces, and for a shared memory that is not public.
 * @throws forbidden for another owner's memory, and for a shared one by a user.
 * @throws invalid_input if a user is needed and none is named.
 */
export function requireOneHome({ input, path }: DraftInput, { user }: Writer): void {
  const { ownerId, sessionId, shared, sensitivity } = input;
  const homes = [ownerId !== undefined, sessionId !== undefined, shared === true].filter(Boolean);
  if (homes.length > 1) {
    const field = sessionId === undefined ? "shared" : "sessionId";
    throw breaksRule(`${path}${field}`, "A memory has an owner, or a group session, or is shared: one of the three.");
  }
  if (shared !== true && user === null) throw userNotNamed();
  if (ownerId !== undefined && ownerId !== user?.externalId)
    throw new AppError("forbidden", "A personal memory is written by its owner.");
  if (shared !== true) return;
  if (user !== null) throw new AppError("forbidden", "Shared memories are written by a server key that names no user.");
  if (sensitivity !== undefined && sensitivity !== "public") throw breaksRule(`${path}sensitivity`, "A shared memory is public.");
}

/**
 * Parses and hashes all memories of a call; see `joinRepeats`.
 * @throws unprocessable for what breaks a rule, and for a key that is in the call twice.
 */
export async function parseInput(
  inputs: readonly DraftInput[],
  by: { now: number; user: UserRef | null },
): Promise<ParsedDraft[]> {
  const drafts = joinRepeats(await Promise.all(inputs.map((input) => parseDraft(input, by))));
  requireDistinctKeys(drafts);
  return drafts;
}

async function parseDraft({ input, path }: DraftInput, by: { now: number; user: UserRef | null }): Promise<ParsedDraft> {
  const { now, user } = by;
  const given = parseGiven(input, { now, path });
  const isShared = input.shared === true;
  // Its default privacy depends on where it was learned, which is looked up later.
  const own = complete(given, null, { now, path, isShared, privacyOf: () => ({ sensitivity: "public", portable: true }) });
  const hash = await contentHash(own);
  const guess = await guessHash(hash, own.key);
  const home = homeOf(input);
  const apart = home.ownership === "group" ? [hash, ...(guess === null ? [] : [guess])] : [];
  return {
    ...{ input, path, home, given, own, hash, guessHash: guess, duplicateOf: 0, times: 1 },
    aboutHash: await aboutHash(hash, input.subjects),
    alternateHashes: (await Promise.all(apart.map((each) => alternateHashesOf(each, user)))).flat(),
  };
}

function homeOf({ sessionId, shared }: MemoryDraftInput): Home {
  if (sessionId !== undefined) return { ownership: "group", sessionExternalId: sessionId };
  return { ownership: shared === true ? "shared" : "personal" };
}

/**
 * Joins drafts of one call that have the same words and the same space into one memory: the first one, or, for keyless drafts, the first
 * one with a key. The strictest privacy among them applies.
 */
function joinRepeats(drafts: readonly ParsedDraft[]): ParsedDraft[] {
  const wordsOf = ({ home, hash, aboutHash: about }: ParsedDraft) => JSON.stringify([home, hash, about]);
  const placed = drafts.map((draft, place) => ({ draft, place }));
  const alike = Map.groupBy(placed, ({ draft }) => wordsOf(draft));
  const originals = placed.map(({ draft, place }) => {
    const group = alike.get(wordsOf(draft)) ?? [];
    if (draft.own.key !== null) return place;
    return (group.find((other) => other.draft.own.key !== null) ?? group[0])?.place ?? place;
  });
  return drafts.map((draft, place) => {
    const said = drafts.filter((_, other) => originals[other] === place);
    return { ...(said.length > 1 ? joined(draft, said) : draft), duplicateOf: originals[place] ?? place, times: said.length };
  });
}

function joined(draft: ParsedDraft, said: readonly ParsedDraft[]): ParsedDraft {
  const all: Pick<Values, "confidence" | "sensitivity" | "portable" | "pinned"> = {
    confidence: Math.max(...said.map(({ own }) => own.confidence)),
    sensitivity: said.map(({ own }) => own.sensitivity).reduce(stricter),
    portable: said.every(({ own }) => own.portable),
    pinned: said.some(({ own }) => own.pinned),
  };
  const isGiven = (name: string, { given }: ParsedDraft) => name in given;
  const opens = new Set([...(all.sensitivity === "public" ? ["sensitivity"] : []), ...(all.portable ? ["portable"] : [])]);
  // Privacy that only some of the drafts open stays at its default.
  const named = Object.entries(all).filter(([name]) =>
    opens.has(name) ? said.every((other) => isGiven(name, other)) : said.some((other) => isGiven(name, other)),
  );
  const { confidence, sensitivity, portable, pinned, ...given } = draft.given;
  return { ...draft, own: { ...draft.own, ...all }, given: { ...given, ...Object.fromEntries(named) } };
}

function requireDistinctKeys(drafts: readonly ParsedDraft[]): void {
  const names = new Set<string>();
  for (const { own, home, path } of drafts) {
    const name = JSON.stringify([home, own.workspaceId, own.key]);
    if (own.key !== null && names.has(name)) throw breaksRule(`${path}key`, "This key is in the call twice.");
    names.add(name);
  }
}

/** The group session in which a draft is stored, by the app's id. */
export function sessionOf({ home }: ParsedDraft): string | undefined {
  return home.ownership === "group" ? home.sessionExternalId : undefined;
}
