import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { type Query, statement } from "#db/client";
import { flag, integer, type RowOf, row } from "#db/row";
import { rowsOf } from "#db/rows";
import { MEMORY } from "#db/schema/memories";
import { isUser } from "#domain/tenants";
import { type MemoryViewerRef, tenantSpaceId } from "#domain/visibility";
import { columnsForWriter, type Existing, mayChange, type Writer, writerView } from "./access.ts";
import { ALTERNATE_HASHES } from "./content-hash.ts";
import { type ParsedDraft, sessionOf } from "./parse-input.ts";
import { readerScope, STORED, type StoredMemory } from "./rows.ts";

/** Drafts of one space, and who can see what in it. */
type HomeGroup = { viewer: MemoryViewerRef | null; drafts: { place: number; draft: ParsedDraft }[] };

export function groupByHome(ctx: Ctx<"now">, writer: Writer, drafts: readonly ParsedDraft[]): HomeGroup[] {
  const placed = drafts.map((draft, place) => ({ place, draft, at: placeOf(draft) }));
  return [...Map.groupBy(placed, ({ at }) => JSON.stringify(at)).values()].map((group) => ({
    viewer: writerView(ctx, writer, group[0]?.at ?? {}),
    drafts: group,
  }));
}

function placeOf(draft: ParsedDraft) {
  return { sessionId: sessionOf(draft), workspaceId: draft.own.workspaceId ?? undefined };
}

/** A live memory in the space of the draft at `place` that has its key, or one of its hashes. */
export type Placed = Existing & { place: number; byKey: boolean };

/** `wanted` has one column for each alternate hash: D1 counts every element of an array as a row read. */
const alternates = Array.from({ length: 2 * ALTERNATE_HASHES }, (_, i) => i);
const alternateColumns = sql.raw(alternates.map((i) => `j.c${8 + i} as alternate_${i}`).join(", "));
const alternateNames = sql.raw(alternates.map((i) => `w.alternate_${i}`).join(", "));

/** `wanted as (…)`: the drafts with the ids of the spaces in which they would be stored. */
function wantedCte(ctx: Ctx, { user }: Writer, drafts: HomeGroup["drafts"]) {
  const rows = drafts.map(({ place, draft }) => {
    const { key, workspaceId } = MEMORY.encode({ key: draft.own.key, workspaceId: draft.own.workspaceId });
    return [
      ...[place, draft.home.ownership, sessionOf(draft) ?? "", draft.hash, String(key), String(workspaceId)],
      ...[draft.aboutHash ?? "", draft.guessHash ?? "", ...alternates.map((i) => draft.alternateHashes[i] ?? "")],
    ];
  });
  return sql`wanted as materialized (
    select j.c0 as place, j.c3 as hash, j.c6 as about_hash, j.c7 as guess_hash, ${alternateColumns}, j.c4 as key, j.c5 as workspace_id,
      case j.c1
        when 'personal' then (select u.space_id from users u where ${isUser(ctx.tenantId, user, sql`u`)})
        when 'group' then (select s.space_id from sessions s where s.tenant_id = ${ctx.tenantId} and s.external_id = j.c2 and s.kind = 'group')
        else (select sp.id from spaces sp where sp.public_id = ${tenantSpaceId(ctx.tenantId)})
      end as space_id
    from ${rowsOf(rows)} j)`;
}

/** Live memories with the words or the key of a draft, in the space where it would be stored. */
export function findExisting(ctx: Ctx<"now">, writer: Writer, { viewer, drafts }: HomeGroup): Query<Placed> {
  const { reader, sees } = readerScope(ctx, viewer);
  const place = integer(sql`w.place`);
  const columns = columnsForWriter(ctx, sees, writer);
  const byWords = row({ place, byKey: flag(sql`false`), ...columns });
  const byKey = row({ place, byKey: flag(sql`true`), ...columns });
  const isLive = sql`m.deleted_at is null and m.superseded_by is null where +m.tenant_id = ${ctx.tenantId}`;
  return statement(
    byWords,
    sql`
    with ${reader}, ${wantedCte(ctx, writer, drafts)}
    select ${byWords.columns} from wanted w
    cross join memories m on m.space_id = w.space_id and m.hash in (w.hash, w.about_hash, w.guess_hash, ${alternateNames}) and ${isLive}
    ${
      drafts.some(({ draft }) => draft.own.key !== null)
        ? sql`union all select ${byKey.columns} from wanted w
          cross join memories m on m.space_id = w.space_id and m.key = w.key and m.workspace_id = w.workspace_id and m.key <> '' and ${isLive}`
        : sql``
    }`,
  );
}

/** Memories in force that the writer may see in the draft's space and may change. Others are ignored. */
export function findSuperseded(ctx: Ctx<"now">, writer: Writer, { viewer, drafts }: HomeGroup): Query<StoredMemory>[] {
  const { reader, sees } = readerScope(ctx, viewer);
  const ids = [...new Set(drafts.flatMap(({ draft }) => draft.input.supersedes ?? []))];
  if (ids.length === 0) return [];
  return [
    statement(
      STORED,
      sql`
      with ${reader}
      select ${STORED.columns} from reader r cross join json_each(${JSON.stringify(ids)}) j cross join memories m on m.public_id = j.value
      where m.superseded_by is null and ${sees(sql`m`)} and ${mayChange(ctx, writer, sql`m`)}`,
    ),
  ];
}

const CONTRADICTED = row(MEMORY.of(sql`m`, "publicId", "id"));

/** Memories that the writer may see in the draft's space. */
export function findContradicted(ctx: Ctx<"now">, { viewer, drafts }: HomeGroup): Query<RowOf<typeof CONTRADICTED>>[] {
  const { reader, sees } = readerScope(ctx, viewer);
  const ids = [...new Set(drafts.flatMap(({ draft }) => draft.input.contradicts ?? []))];
  if (ids.length === 0) return [];
  return [
    statement(
      CONTRADICTED,
      sql`
      with ${reader}
      select ${CONTRADICTED.columns} from reader r cross join json_each(${JSON.stringify(ids)}) j
      cross join memories m on m.public_id = j.value where ${sees(sql`m`)}`,
    ),
  ];
}

/** The existing memories that a draft matches. */
export type Met = {
  /** The memory with the same key, else the one with the same words. Each memory matches at most one draft. */
  existing: Existing | null;
  /** A keyless memory with the words of a keyed draft that has no memory yet, or in addition to the one that it changes. */
  duplicate: Existing | null;
  /** A memory with the same words that waits for review under the same key. */
  guess: Existing | null;
  /** The memory with the same key, if the writer may not know of it. */
  hiddenHolder: Existing | null;
  /** Hashes of keyless memories that the writer may not know of. */
  hiddenHashes: ReadonlySet<string>;
  /** Whether a memory with the same words exists, whoever its subjects are. */
  isTaken: boolean;
};

type Persons = ReadonlyMap<string, { id: number }>;

/**
 * Matches each draft of a call with the live memories of its space, newest first. The writer may know of those that are `known`.
 * A key matches before words do, unless the draft replaces that memory by another. A keyed draft's words match a keyless memory; a keyless
 * draft's words match any. Every draft matches rejected words, so that a new key cannot bring them back.
 */
export function matchExisting(
  drafts: readonly ParsedDraft[],
  { known, hidden, persons }: { known: readonly Placed[]; hidden: readonly Placed[]; persons: Persons },
): Met[] {
  const byWords = known.filter((row) => {
    const draft = drafts[row.place];
    return !row.byKey && draft !== undefined && !isGuess(row, draft) && isAboutTheSame(row, draft, persons);
  });
  const keyed = new Map<number, Existing>();
  for (const row of known.filter(({ byKey }) => byKey)) {
    const isSaidAgain = byWords.some(({ place, id }) => place === row.place && id === row.id);
    if (isSaidAgain || drafts[row.place]?.input.supersedes !== row.publicId) keyed.set(row.place, row);
  }
  const taken = new Set([...keyed.values()].map(({ id }) => id));
  const met = drafts.map((draft, place): Met => {
    const others = hidden.filter((row) => row.place === place);
    return {
      ...(draft.duplicateOf === place ? chooseExisting(draft, { place, own: keyed.get(place), byWords, taken }) : NONE),
      guess: known.findLast((row) => row.place === place && isGuess(row, draft)) ?? null,
      hiddenHolder: others.findLast(({ byKey }) => byKey) ?? null,
      hiddenHashes: new Set(others.flatMap(({ byKey, key, hash }) => (!byKey && key === null ? [hash] : []))),
      isTaken: known.some((row) => row.place === place && !row.byKey && row.key === null && row.hash === draft.hash),
    };
  });
  return met.map((own, place) => ({ ...own, existing: met[drafts[place]?.duplicateOf ?? place]?.existing ?? null }));
}

const NONE = { existing: null, duplicate: null };

/** `own` has the draft's key. A memory that matches by its words is added to `taken`. */
function chooseExisting(
  draft: ParsedDraft,
  { place, own, byWords, taken }: { place: number; own: Existing | undefined; byWords: readonly Placed[]; taken: Set<number> },
): Pick<Met, "existing" | "duplicate"> {
  const same = byWords.filter((row) => row.place === place);
  const free = same.filter(({ id }) => !taken.has(id));
  const alive = free.filter(({ status }) => status !== "rejected");
  const adopted = alive.find(({ key }) => key === null) ?? (draft.own.key === null ? alive[0] : undefined);
  const isSaidAgain = same.some(({ id }) => id === own?.id);
  const rejected = adopted !== undefined || isSaidAgain ? undefined : free.find(({ status }) => status === "rejected");
  if (adopted !== undefined) taken.add(adopted.id);
  return {
    existing: rejected ?? own ?? adopted ?? null,
    duplicate: own === undefined ? null : (adopted ?? null),
  };
}

/** Whether a memory waits for review as a new value of the draft's key. */
function isGuess({ hash }: Existing, { guessHash, alternateHashes }: ParsedDraft): boolean {
  return guessHash !== null && (hash === guessHash || alternateHashes.slice(ALTERNATE_HASHES).includes(hash));
}

/** Whether a memory with the same words is about the persons that the draft names. A draft that names none matches any. */
function isAboutTheSame(row: Existing, { input, aboutHash }: ParsedDraft, persons: Persons): boolean {
  if (aboutHash === null || row.hash === aboutHash) return true;
  const named = new Set((input.subjects ?? []).map((id) => persons.get(id)?.id));
  return row.subjects.length === named.size && row.subjects.every((id) => named.has(id));
}
