import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { type Query, readRows, select } from "#db/client";
import { type RowOf, row } from "#db/row";
import type { Originals } from "#db/schema/forgettings";
import { isSummary, MEMORY } from "#db/schema/memories";
import type { StoredMemory } from "#domain/memories";
import type { Rewritten } from "#domain/sessions";
import { spansStating } from "./words-of.ts";

const SUMMARY = row(MEMORY.of(sql`m`, "id", "publicId", "spaceId", "content"));

export type StatingSummary = Pick<RowOf<typeof SUMMARY>, "id" | "publicId" | "spaceId">;

/**
 * The summaries that say what is about to be forgotten, and whose episodes may be deleted already, so that no episode leads to
 * them: in the spaces of these memories and words, those that state one of the memories that were said in an episode, or the redacted words.
 */
export async function findStating(
  ctx: Ctx<"db">,
  { memories, rewritten }: { memories: readonly StoredMemory[]; rewritten: readonly (Rewritten & Pick<Originals, "words">)[] },
): Promise<StatingSummary[]> {
  const said = memories.filter(({ episodeId }) => episodeId !== null);
  const spaces = [...said.map(({ spaceId }) => spaceId), ...rewritten.map(({ before }) => before.spaceId)];
  if (spaces.length === 0) return [];
  const cut = rewritten.flatMap(({ words }) => words.map((one) => one.words));
  const summaries = await readRows(ctx, summariesOf(ctx, [...new Set(spaces)]));
  return summaries.filter(({ id, content }) => {
    const lines = content.split("\n").slice(1).join("\n");
    const going = [...said.filter((memory) => memory.id !== id).map((memory) => memory.content), ...cut];
    return going.some((words) => spansStating(lines, words).length > 0);
  });
}

function summariesOf(ctx: Ctx<"db">, spaces: readonly number[]): Query<RowOf<typeof SUMMARY>> {
  return select(SUMMARY)`from json_each(${JSON.stringify(spaces)}) j cross join memories m indexed by memories_key
    on m.space_id = j.value and m.key <> '' and ${isSummary(sql`m`)} and m.deleted_at is null and m.superseded_by is null
    where m.tenant_id = ${ctx.tenantId}`;
}
