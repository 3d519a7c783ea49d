import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { type Query, statement } from "#db/client";
import { type Column, flag, integer, json, nullable, type RowOf, row, text } from "#db/row";
import { MEMORY } from "#db/schema/memories";
import {
  decideRelation,
  type MemoryPlace,
  type MemoryViewerRef,
  type MemoryVisibilityReason,
  mayEnter,
  readerCte,
  relationColumns,
  seesMemory,
  stillHolds,
} from "#domain/visibility";

const m = sql`m`;

/** The columns of `StoredMemory`, from `memories m`. `subjects` are persons' internal ids. */
export const storedColumns = {
  ...MEMORY.of(m),
  subjects: json<number[]>(sql`(select json_group_array(su.person_id) from memory_subjects su where su.memory_id = m.id)`),
};

/** A memory's row as stored, for verbs that change it. Before any of it is shown, the visibility rule applies. */
export type StoredMemory = RowOf<typeof storedColumns>;

export const STORED = row(storedColumns);

/** A person as a memory's answer may name them. */
export type NamedPerson = { id: string; name: string; isReader: boolean };

/** As SQL writes a person: the public id, the name, and 1 for the reader's own. */
type PersonTuple = [id: string, name: string, isReader: number];

function toPerson([id, name, isReader]: PersonTuple): NamedPerson {
  return { id, name, isReader: isReader === 1 };
}

function people(of: SQL): Column<NamedPerson[]> {
  const { sql: array, decode } = json<PersonTuple[]>(of);
  return { sql: array, decode: (value) => decode(value).map(toPerson) };
}

function person(of: SQL): Column<NamedPerson | null> {
  const { sql: tuple, decode } = nullable(json<PersonTuple>(of));
  const named = (found: PersonTuple | null) => (found === null ? null : toPerson(found));
  return { sql: tuple, decode: (value) => named(decode(value)) };
}

/** The columns of `MemoryRow`, from `memories m`, for the user of the row `r` (a reader, or anything with `user_id`). */
function memoryColumns({ contradicts, supersededBy }: { contradicts: SQL; supersededBy: SQL }) {
  return {
    ...MEMORY.of(m),
    ownerExternalId: nullable(text(sql`(select ow.external_id from users ow where ow.id = m.owner_id)`)),
    sessionExternalId: nullable(text(sql`(select gs.external_id from sessions gs where gs.id = m.session_id)`)),
    subjects: people(sql`(
      select json_group_array(json_array(sp.public_id, sp.name, sp.user_id is r.user_id) order by sp.id)
      from memory_subjects ss cross join persons sp on sp.id = ss.person_id where ss.memory_id = m.id)`),
    /** Public ids. */
    contradicts: json<string[]>(contradicts),
    statedBy: person(sql`(
      select json_array(st.public_id, st.name, st.user_id is r.user_id)
      from persons sf cross join persons st on st.id = coalesce(sf.merged_into, sf.id) where sf.id = m.stated_by)`),
    /** The person of its owner, if that is another user than the reader. */
    notedBy: person(sql`case when m.owner_id is not r.user_id then (
      select json_array(op.public_id, op.name, 0) from persons op where op.user_id = m.owner_id) end`),
    /** The app's id of the session; null if the reader may not enter it. */
    learnedIn: nullable(
      text(sql`(
        select ls.external_id from sessions ls cross join users lu on lu.id = r.user_id
        where ls.id = m.learned_in and ${mayEnter(sql`lu`, sql`ls`)})`),
    ),
    episodeId: nullable(text(sql`(select le.public_id from episodes le where le.id = m.episode_id)`)),
    supersededBy: nullable(text(supersededBy)),
  };
}

/** A memory with the public ids of its references. */
export type MemoryRow = RowOf<ReturnType<typeof memoryColumns>>;

/** A memory that waits for review does not replace or contradict anything yet. */
const queueColumns = memoryColumns({ contradicts: sql`'[]'`, supersededBy: sql`null` });

export const QUEUED = row(queueColumns);

/** The columns of a memory for a reader, and those that the pure rule needs to check it again. */
export function seenColumns(viewer: MemoryViewerRef) {
  const others = sql`(
    select json_group_array(public_id) from (
      select o.public_id as public_id from memories o where o.id = m.contradicts and ${seesMemory(viewer, sql`o`)}
      union all
      select o.public_id from memories o where o.contradicts = m.id and ${seesMemory(viewer, sql`o`)}))`;
  const successor = sql`(select sb.public_id from memories sb where sb.id = m.superseded_by and ${seesMemory({ ...viewer, asOf: "ever" }, sql`sb`)})`;
  // For a reader to whom it is current, it has not ended.
  const validTo = nullable(integer(sql`case when ${stillHolds(viewer, m)} then null else m.valid_to end`));
  return { ...memoryColumns({ contradicts: others, supersededBy: successor }), validTo, ...relationColumns(viewer, m) };
}

export type SeenRow = RowOf<ReturnType<typeof seenColumns>>;

export function seenShape(viewer: MemoryViewerRef) {
  return row(seenColumns(viewer));
}

const [yes, no] = [flag(sql`true`), flag(sql`false`)];

/** The relation of shared memories to the tenant itself, for which the rule is not evaluated. */
const SHARED = row({
  ...queueColumns,
  ...{ isGroup: no, othersRead: no, isInProject: no, takesOwnMemories: no, legacyDisclosure: no },
  ...{ isOwner: no, inItsGroup: no, isShared: yes, learnedHere: no, learnedAmongReaders: no, hasSubject: no },
  ...{ isOfProject: no, isOfOtherProject: no },
  ...{ isSubject: no, subjectTakesPart: no, isAskedAbout: no, hasStated: no, wasPresent: no, hasRecordedSession: no },
});

/** The memories that a reader sees. `reader` is the text of a `with` clause whose row the condition `sees` reads as `r`. */
export type ReaderScope = { reader: SQL; sees: (m: SQL) => SQL };

/** The memories that a viewer may see; without a viewer, those that the tenant itself sees: shared and in force. */
export function readerScope(ctx: Ctx<"now">, viewer: MemoryViewerRef | null): ReaderScope {
  if (viewer !== null) return { reader: readerCte(viewer), sees: (memory) => seesMemory(viewer, memory) };
  return {
    // No user has this id.
    reader: sql`reader (user_id) as (select 0)`,
    sees: (
      memory,
    ) => sql`(${memory}.ownership = 'shared' and +${memory}.tenant_id = ${ctx.tenantId} and ${memory}.status = 'approved'
      and ${memory}.deleted_at is null and ${memory}.superseded_by is null and (${memory}.expires_at is null or ${memory}.expires_at > ${ctx.now()}))`,
  };
}

/** The memories with these public ids that the viewer may see; without a viewer, that the tenant itself sees. */
export function findSeen(ctx: Ctx<"now">, viewer: MemoryViewerRef | null, publicIds: readonly string[]): Query<SeenRow> {
  const { reader, sees } = readerScope(ctx, viewer);
  const shape = viewer === null ? SHARED : seenShape(viewer);
  return statement(
    shape,
    sql`
    with ${reader}
    select ${shape.columns} from reader r cross join json_each(${JSON.stringify(publicIds)}) j
    cross join memories m on m.public_id = j.value where ${sees(m)}`,
  );
}

/** The viewer's place as a row describes it. */
export function placeOf(
  { reach, ownProjectOnly }: MemoryViewerRef,
  seen: Omit<MemoryPlace, "reach" | "ownProjectOnly">,
): MemoryPlace {
  const { othersRead, isInProject, takesOwnMemories, legacyDisclosure } = seen;
  return { reach, ownProjectOnly, othersRead, isInProject, takesOwnMemories, legacyDisclosure };
}

/** A memory that the viewer may see, and the part of the rule that makes it visible. */
export type SeenMemory = SeenRow & { visibilityReason: MemoryVisibilityReason };

/** SQL has decided already; the pure rule checks again. If they ever differ, nothing is shown and the log reports it. */
export function decided(ctx: Ctx<"log">, viewer: MemoryViewerRef | null, rows: readonly SeenRow[]): SeenMemory[] {
  if (viewer === null) return rows.map((seen) => ({ ...seen, visibilityReason: "shared" }));
  return rows.flatMap((seen) => {
    const decision = decideRelation(placeOf(viewer, seen), seen, seen);
    if (seen.tenantId === viewer.tenantId && decision.visible) return [{ ...seen, visibilityReason: decision.rule }];
    ctx.log("visibility.disagreement", { kind: "memory", rule: decision.rule });
    return [];
  });
}
