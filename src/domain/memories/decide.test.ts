import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Existing } from "./access.ts";
import { contentHash, guessHash } from "./content-hash.ts";
import { type Decision, decide, outcomeOf } from "./decide.ts";
import type { Met } from "./match-existing.ts";
import { parseInput } from "./parse-input.ts";
import type { ToDecide } from "./propose.ts";
import type { Named } from "./require-references.ts";
import { STORED } from "./rows.ts";
import type { MemoryDraftInput } from "./schemas.ts";

const bools = [false, true];
const REREADINGS = bools.flatMap((isOwn) =>
  bools.flatMap((keepsOwn) => bools.flatMap((addsLinks) => bools.map((isOlder) => ({ isOwn, keepsOwn, addsLinks, isOlder })))),
);
const STATUSES = [null, "approved", "pending", "rejected"] as const;
const CASES = STATUSES.flatMap((status) =>
  bools.flatMap((isSame) =>
    bools.flatMap((repeats) =>
      bools.flatMap((isApproved) => [null, ...REREADINGS].map((ingest) => ({ status, isSame, repeats, isApproved, ingest }))),
    ),
  ),
);
type Case = (typeof CASES)[number];

/** The rows of the table, by what each asks; the first that holds decides. */
const TABLE: readonly [outcome: string, holds: (of: Case) => boolean][] = [
  ["ignore rejected", ({ status, isSame }) => status === "rejected" && isSame],
  [
    "reinforce uncounted",
    ({ status, repeats, ingest }) => status !== null && repeats && (ingest?.isOwn && ingest.addsLinks) === true,
  ],
  [
    "ignore known",
    ({ status, repeats, ingest }) => (ingest?.isOwn && ((status !== null && repeats) || ingest.keepsOwn)) === true,
  ],
  ["reinforce counted", ({ status, repeats }) => status !== null && repeats],
  ["ignore older", ({ ingest }) => ingest?.isOlder === true],
  ["change", ({ status }) => status !== null],
  ["create", ({ isApproved }) => isApproved],
  ["wait", () => true],
];

function beforeOf({ status }: Case) {
  return status === null ? null : { status };
}

describe("the table of decisions", () => {
  it("has one outcome for each of its 544 cases", () => {
    const wrong = CASES.flatMap((of) => {
      const before = beforeOf(of);
      const outcome = outcomeOf({ ...of, before });
      const because = outcome.kind === "ignore" ? ` ${outcome.because}` : "";
      const counted = outcome.kind === "reinforce" ? ` ${outcome.isCounted ? "counted" : "uncounted"}` : "";
      const expected = TABLE.find(([, holds]) => holds(of))?.[0];
      const isRight = expected === `${outcome.kind}${because}${counted}` && (!("before" in outcome) || outcome.before === before);
      return isRight ? [] : [{ of, outcome, expected }];
    });
    expect(CASES).toHaveLength(544);
    expect(wrong).toEqual([]);
  });

  it("never says of a call what only an episode that is read again can be", () => {
    const kinds = CASES.filter(({ ingest }) => ingest === null).map((of) => outcomeOf({ ...of, before: beforeOf(of) }));
    expect(kinds.filter((outcome) => outcome.kind === "ignore" && outcome.because !== "rejected")).toEqual([]);
    expect(kinds.filter((outcome) => outcome.kind === "reinforce" && !outcome.isCounted)).toEqual([]);
  });
});

const NOW = 1_000_000;
const ANN = { userId: 1, spaceId: 2, personId: 3, personPublicId: "per_ann", externalId: "ann" };

let lastId = 100;

/** A live memory in the space of the author, with the hash of its words. */
async function stored(of: Partial<Existing>): Promise<Existing> {
  lastId += 1;
  const memory: Existing = {
    ...STORED.decode({ metadata: "{}", subjects: "[]" }),
    ...{ id: lastId, publicId: `mem_${lastId}`, tenantId: 1, spaceId: 2, ownership: "personal", ownerId: 1 },
    ...{ type: "knowledge", content: "The sky is blue", confidence: 1, sensitivity: "personal", status: "approved", piiRisk: 0 },
    ...{ statedBy: 3, learnedAt: 5, validFrom: 5, seenCount: 1, lastSeenAt: 5, version: 1, createdAt: 5, updatedAt: 5 },
    ...{ isVisible: true, isOwn: true },
    ...of,
  };
  return { ...memory, hash: of.hash ?? (await contentHash(memory)) };
}

const NOTHING: Met = {
  ...{ existing: null, duplicate: null, guess: null, hiddenHolder: null, hiddenHashes: new Set<string>(), isTaken: false },
};
const SPEAKER = { id: 3, publicId: "per_ann", userId: 1 };
const NAMED: Named = { session: null, speaker: SPEAKER, subjects: null, learned: null, superseded: null, contradicts: null };

async function decided(
  input: MemoryDraftInput,
  of: { met?: Partial<Met>; named?: Partial<Named>; ingest?: ToDecide["ingest"] } = {},
): Promise<Decision> {
  const [draft] = await parseInput([{ input, path: "" }], { now: NOW, user: { externalId: "ann" } });
  if (draft === undefined) throw new Error("One input is one draft.");
  return await decide({
    ...{ draft, met: { ...NOTHING, ...of.met }, named: { ...NAMED, ...of.named }, amongOthers: false, publicId: "mem_new" },
    ...{ author: ANN, user: { externalId: "ann" }, now: NOW, piiReview: false, ingest: of.ingest ?? null },
  });
}

const SKY = { content: "The sky is blue" };
const GREY = { content: "The sky is grey" };

describe("what is said", () => {
  it("is created where nothing is", async () => {
    expect(await decided(SKY)).toMatchObject({ kind: "create", publicId: "mem_new", replaces: [], next: { status: "approved" } });
  });

  it("waits where its writer is not sure", async () => {
    const superseded = await stored(GREY);
    const decision = await decided({ ...SKY, confidence: 0.5 }, { named: { superseded } });
    expect(decision).toMatchObject({ kind: "wait", replaces: [], next: { status: "pending", supersedes: superseded.id } });
  });

  it("replaces what it names once it is in force", async () => {
    const superseded = await stored({ ...GREY, key: "sky" });
    const decision = await decided(SKY, { named: { superseded } });
    expect(decision).toMatchObject({ kind: "create", replaces: [superseded], next: { key: "sky" } });
  });

  it("reinforces the same words", async () => {
    const existing = await stored({});
    expect(await decided(SKY, { met: { existing } })).toMatchObject({ kind: "reinforce", before: existing, isCounted: true });
  });

  it("changes what its key holds", async () => {
    const existing = await stored({ ...GREY, key: "sky" });
    const decision = await decided({ ...SKY, key: "sky" }, { met: { existing } });
    expect(decision).toMatchObject({ kind: "change", publicId: existing.publicId, next: { key: "sky", validFrom: NOW } });
  });

  it("takes the place of a keyless duplicate of its words", async () => {
    const [existing, duplicate] = [await stored({ ...GREY, key: "sky" }), await stored({})];
    const decision = await decided({ ...SKY, key: "sky" }, { met: { existing, duplicate } });
    expect(decision).toMatchObject({ kind: "change", replaces: [duplicate] });
  });

  it("waits beside what its key holds, as what would replace it, where its writer is not sure", async () => {
    const existing = await stored({ ...GREY, key: "sky" });
    const decision = await decided({ ...SKY, key: "sky", confidence: 0.5 }, { met: { existing } });
    const hash = await guessHash(await contentHash(await stored({})), "sky");
    expect(decision).toMatchObject({ kind: "wait", next: { key: null, supersedes: existing.id, hash } });
  });

  it("stays rejected, by whatever name", async () => {
    const existing = await stored({ status: "rejected" });
    expect(await decided({ ...SKY, key: "sky" }, { met: { existing } })).toMatchObject({ kind: "ignore", because: "rejected" });
  });

  it("takes the key of a memory that its writer may not know of, and nothing of what it says", async () => {
    const hiddenHolder = await stored({ ...GREY, key: "sky", metadata: { by: "eve" }, isVisible: false, isOwn: false });
    const decision = await decided({ ...SKY, key: "sky" }, { met: { hiddenHolder } });
    expect(decision).toMatchObject({ kind: "create", replaces: [hiddenHolder], next: { key: "sky", metadata: {} } });
  });

  it("is kept beside the same words of a memory that its writer may not know of", async () => {
    const hash = await contentHash(await stored({}));
    const decision = await decided(SKY, { met: { hiddenHashes: new Set([hash]) } });
    expect(decision.kind).toBe("create");
    expect(decision.next.hash).not.toBe(hash);
  });
});

describe("what an episode says again", () => {
  const learned = { sessionId: 7, episodeId: 8, at: 5, view: { sessionId: "s", episodeId: "epi_1" } };
  const from = (existing: Existing | null, named: Partial<Named> = {}) => ({
    ...{ met: { existing }, named: { learned, ...named }, ingest: { keepsOwn: false } },
  });

  it("is known", async () => {
    const existing = await stored({ episodeId: 8 });
    expect(await decided(SKY, from(existing))).toMatchObject({ kind: "ignore", because: "known" });
  });

  it("adds what it contradicts, or stricter privacy, and is not counted", async () => {
    const existing = await stored({ episodeId: 8 });
    const uncounted = { kind: "reinforce", isCounted: false };
    expect(await decided(SKY, from(existing, { contradicts: 9 }))).toMatchObject(uncounted);
    expect(await decided({ ...SKY, sensitivity: "sensitive" }, from(existing))).toMatchObject(uncounted);
    expect(await decided({ ...SKY, sensitivity: "public" }, from(existing))).toMatchObject({ kind: "ignore", because: "known" });
  });

  it("counts from another episode", async () => {
    expect(await decided(SKY, from(await stored({ episodeId: 6 })))).toMatchObject({ kind: "reinforce", isCounted: true });
  });

  it("gives way to what its key was said to hold later", async () => {
    const existing = await stored({ ...GREY, key: "sky", validFrom: NOW + 1 });
    expect(await decided({ ...SKY, key: "sky" }, from(existing))).toMatchObject({ kind: "ignore", because: "older" });
  });
});

/** Whatever is met, in every status, seen or not. */
const memory = fc.option(
  fc.record({
    content: fc.constantFrom(SKY.content, GREY.content),
    key: fc.constantFrom(null, "sky"),
    status: fc.constantFrom("approved" as const, "pending" as const, "rejected" as const),
    isVisible: fc.boolean(),
    sensitivity: fc.constantFrom("public" as const, "personal" as const, "sensitive" as const),
    portable: fc.boolean(),
    validFrom: fc.constantFrom(5, NOW + 1),
    episodeId: fc.constantFrom(null, 8),
  }),
);

it("of whatever is met: one kind, which agrees with what it would store, and opens nothing", async () => {
  const kinds = new Set<string>();
  const asked = fc.record({
    key: fc.constantFrom(undefined, "sky"),
    confidence: fc.constantFrom(0.5, 1),
    met: fc.record({ existing: memory, duplicate: memory, guess: memory, hiddenHolder: memory }),
    superseded: memory,
    ingest: fc.constantFrom(null, { keepsOwn: false }, { keepsOwn: true }),
  });
  await fc.assert(
    fc.asyncProperty(asked, async ({ key, confidence, met, superseded, ingest }) => {
      const row = async (of: Partial<Existing> | null) => (of === null ? null : await stored(of));
      const rows = {
        existing: await row(met.existing),
        duplicate: await row(met.duplicate && { ...met.duplicate, key: null, status: "approved" }),
        guess: await row(met.guess && { ...met.guess, key: null, status: "pending" }),
        hiddenHolder: await row(met.hiddenHolder && { ...met.hiddenHolder, key: "sky", isVisible: false }),
      };
      const input = { ...SKY, confidence, ...(key === undefined ? {} : { key }) };
      const decision = await decided(input, { met: rows, named: { superseded: await row(superseded) }, ingest });
      kinds.add(decision.kind);
      const { next, replaces } = decision;
      const before = "before" in decision ? decision.before : null;
      expect([rows.existing, rows.guess, null]).toContain(before);
      expect(decision.publicId).toBe(before?.publicId ?? "mem_new");
      expect(replaces.map(({ id }) => id)).not.toContain(before?.id);
      if (decision.kind === "create") expect(next.status).toBe("approved");
      if (decision.kind === "wait") expect(next.status).toBe("pending");
      if (decision.kind === "wait" || decision.kind === "ignore") expect(replaces).toEqual([]);
      if (ingest === null && decision.kind === "ignore") expect(before?.status).toBe("rejected");
      if (decision.kind === "change" && !decision.before.isVisible) {
        expect(next.portable && !decision.before.portable).toBe(false);
        expect(decision.before.sensitivity === "sensitive" && next.sensitivity !== "sensitive").toBe(false);
      }
    }),
    { numRuns: 600 },
  );
  expect([...kinds].toSorted()).toEqual(["change", "create", "ignore", "reinforce", "wait"]);
});
