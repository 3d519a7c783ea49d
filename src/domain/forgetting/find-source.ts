import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { type Query, read, select } from "#db/client";
import { integer, type RowOf, row, text } from "#db/row";
import type { RemovedFact, RemovedVersion } from "#db/schema/forgettings";
import { findFactsOf } from "#domain/facts";
import {
  findForgettable,
  findPast,
  findVersionsSaid,
  type MemoryStatement,
  type StoredMemory,
  type Writer,
} from "#domain/memories";
import { findPersonsOnlyIn, type PersonRow } from "#domain/people";
import { type Rewritten, redactWords } from "#domain/sessions";
import { type UserRef, userIdOf } from "#domain/tenants";
import type { Owner } from "./own-words.ts";
import { type Cuts, findStatedWords, joinCuts } from "./stated-words.ts";
import { isMostly, lostOf, tellingWords, tells } from "./words-of.ts";

const OWNER = row({
  userId: integer(sql`u.id`),
  spaceId: integer(sql`u.space_id`),
  personId: integer(sql`pe.id`),
  externalId: text(sql`u.external_id`),
  name: text(sql`pe.name`),
});

/** The user, if there is one, with what they are called. */
export function findOwner(ctx: Ctx<"db">, user: UserRef): Query<RowOf<typeof OWNER>> {
  return select(OWNER)`from users u cross join persons pe on pe.user_id = u.id
    where u.tenant_id = ${ctx.tenantId} and u.id = ${userIdOf(ctx.tenantId, user)}`;
}

export function toOwner({ userId, spaceId, personId, name, externalId }: RowOf<typeof OWNER>): Owner {
  return { userId, spaceId, personId, names: [name, externalId] };
}

/** What goes with the words that are cut: memories learned from them, and the values of lists that they stated. */
export type Gone = {
  rewritten: (Rewritten & ReturnType<typeof redactWords>)[];
  memories: StoredMemory[];
  facts: RemovedFact[];
  versions: RemovedVersion[];
  persons: PersonRow[];
  /** Episodes of which a memory went that also told what is left: it is extracted again. */
  extractedAgain: number[];
};

/** Whose words and memories may go; `memories` go in any case, and so do those, of the ones that the app stored, that `ids` name. */
export type Forgetter = {
  writer: Writer;
  owner: Owner;
  memories: readonly StoredMemory[];
  ids: readonly string[];
};

/** How often what goes is searched for memories whose past goes too. */
const MAX_ROUNDS = 5;

/**
 * Reads what was learned from these episodes, and decides what of it tells the words that are cut. What goes takes its past with it, which
 * would count as current otherwise: the memories that it replaced, and the owner's words for them and for its own earlier versions.
 */
export async function findGone(ctx: Ctx<"db">, by: Forgetter, asked: Cuts): Promise<Gone> {
  const { user } = by.writer;
  let cuts = joinCuts([asked]);
  let { gone, past } = await findLearned(ctx, by, { cuts, known: [] });
  for (let round = 1; round < MAX_ROUNDS; round += 1) {
    const words = user === null ? [] : await findStatedWords(ctx, { user, owner: by.owner }, past.statements);
    const joined = joinCuts([cuts, ...words]);
    if (past.replaced.length === 0 && countOf(joined) === countOf(cuts)) break;
    cuts = joined;
    const memories = [...gone.memories, ...past.replaced];
    ({ gone, past } = await findLearned(ctx, { ...by, memories }, { cuts, known: memories.map(({ id }) => id) }));
  }
  return gone;
}

function countOf(cuts: Cuts): number {
  return [...cuts.values()].reduce((sum, { length }) => sum + length, 0);
}

type Past = { statements: MemoryStatement[]; replaced: StoredMemory[] };

/** What tells the words that are cut, and the past of those of its memories that are not known. */
async function findLearned(
  ctx: Ctx<"db">,
  { writer, owner, ids, memories: given }: Forgetter,
  { cuts, known }: { cuts: Cuts; known: readonly number[] },
): Promise<{ gone: Gone; past: Past }> {
  const rewritten = [...cuts].map(([episode, of]) => redactWords(episode, of)).filter(({ words }) => words.length > 0);
  const episodes = rewritten.map(({ before }) => before.id);
  const found = await read(ctx, {
    memories: findForgettable(ctx, writer, { episodes, ids }),
    facts: episodes.length === 0 ? null : findFactsOf(ctx, owner.userId, episodes),
  });
  const lost = new Map(rewritten.map((one) => [one.before.id, lostOf(one.before, one)]));
  const named = new Set(ids);
  const groups = new Set(rewritten.flatMap(({ before }) => (before.kind === "group" ? [before.id] : [])));
  const isGone = (memory: StoredMemory) => {
    const from = memory.episodeId === null ? undefined : lost.get(memory.episodeId);
    if (named.has(memory.publicId) && memory.learnedIn === null) return true;
    const isOthers = memory.statedBy !== null && memory.statedBy !== owner.personId && groups.has(memory.episodeId ?? 0);
    if (from === undefined || isOthers) return false;
    return tells(memory.content, from);
  };
  const words = new Set([...lost.values()].flatMap((one) => [...one.words]));
  const memories = [...new Map([...given, ...found.memories.filter(isGone)].map((memory) => [memory.id, memory])).values()];
  const going = memories.map(({ id }) => id);
  const unknown = going.filter((id) => !known.includes(id));
  const spaces = [...new Set([owner.spaceId, ...rewritten.map(({ before }) => before.spaceId)])];
  const more = await read(ctx, {
    versions: rewritten.length === 0 ? null : findVersionsSaid(ctx, writer, { spaces, episodes }),
    persons: going.length === 0 ? null : findPersonsOnlyIn(ctx, owner.userId, going),
    ...(unknown.length === 0 ? { statements: null, replaced: null } : findPast(ctx, writer, unknown)),
  });
  const toldMore = memories.filter(({ episodeId, content }) => {
    const gone = lost.get(episodeId ?? 0)?.words;
    return gone !== undefined && [...tellingWords(content)].some((word) => !gone.has(word));
  });
  const gone = {
    rewritten,
    memories,
    extractedAgain: [...new Set(toldMore.flatMap(({ episodeId }) => episodeId ?? []))],
    facts: found.facts.filter(({ value }) => tells(value, { words, isAll: false })),
    versions: more.versions.flatMap(({ content, ...version }) =>
      !going.includes(version.memory) && tells(content, { words, isAll: false }) ? [version] : [],
    ),
    persons: more.persons.filter(({ name }) => isMostly(name, words)),
  };
  return { gone, past: { statements: more.statements, replaced: more.replaced } };
}
