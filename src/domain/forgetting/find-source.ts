import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { type Query, read, select } from "#db/client";
import { integer, row, text } from "#db/row";
import type { RemovedFact } from "#db/schema/forgettings";
import { findFactsOf } from "#domain/facts";
import { findForgettable, type StoredMemory, type Writer } from "#domain/memories";
import { type Cut, type EpisodeWords, type Rewritten, redactWords } from "#domain/sessions";
import { type NamedUser, userIdOf } from "#domain/tenants";
import type { Owner } from "./own-words.ts";
import { lostWords, tells } from "./words-of.ts";

const OWNER = row({
  userId: integer(sql`u.id`),
  externalId: text(sql`u.external_id`),
  name: text(sql`pe.name`),
  personId: integer(sql`pe.id`),
});

/** The user, if there is one, with what they are called. */
export function findOwner(
  ctx: Ctx<"db">,
  user: NamedUser,
): Query<{ userId: number; externalId: string; name: string; personId: number }> {
  return select(OWNER)`from users u cross join persons pe on pe.user_id = u.id
    where u.tenant_id = ${ctx.tenantId} and u.id = ${userIdOf(ctx.tenantId, user)}`;
}

export function toOwner({ userId, name, externalId }: { userId: number; externalId: string; name: string }): Owner {
  return { userId, names: [name, externalId] };
}

/** What goes with the words that are cut: memories learned from them, and the values of lists that they stated. */
export type Gone = {
  rewritten: (Rewritten & ReturnType<typeof redactWords>)[];
  memories: StoredMemory[];
  facts: RemovedFact[];
};

/** Reads what was learned from these episodes, and decides what of it tells the words that are cut. */
export async function findGone(
  ctx: Ctx<"db">,
  { writer, owner, ids }: { writer: Writer; owner: Owner; ids: readonly string[] },
  cuts: ReadonlyMap<EpisodeWords, readonly Cut[]>,
): Promise<Gone> {
  const rewritten = [...cuts].map(([episode, of]) => redactWords(episode, of)).filter(({ words }) => words.length > 0);
  const episodes = rewritten.map(({ before }) => before.id);
  const found = await read(ctx, {
    memories: findForgettable(ctx, writer, { episodes, ids }),
    facts: episodes.length === 0 ? null : findFactsOf(ctx, owner.userId, episodes),
  });
  const lost = new Map(rewritten.map((one) => [one.before.id, lostWords(one.before, one)]));
  const named = new Set(ids);
  const isGone = (memory: StoredMemory) => {
    const from = memory.episodeId === null ? undefined : lost.get(memory.episodeId);
    return named.has(memory.publicId) || (from !== undefined && tells(memory.content, from));
  };
  const words = new Set([...lost.values()].flatMap((one) => [...one.words]));
  return {
    rewritten,
    memories: found.memories.filter(isGone),
    facts: found.facts.filter(({ value }) => tells(value, { words, isAll: false })),
  };
}
