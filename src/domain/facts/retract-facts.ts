import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { breaksRule } from "#core/errors";
import { requirePermission } from "#core/permission";
import { failUnless, isLostRace } from "#db/guard";
import { commit } from "#domain/audit";
import { homeOf, idOfHome, noSuchPlace, topicNamed } from "./place.ts";
import type { RetractedView, RetractInput } from "./schemas.ts";
import { WHOLE_LIST_RANK } from "./slots.ts";
import { topicIndexOf } from "./topics-of.ts";

/**
 * Removes the user's facts of a topic, or one rank of it, from the session, the project or the user that they are stored with. Their rows
 * stay without a value, so that no older message restores them.
 */
export async function retractFacts(ctx: Ctx<"db" | "now" | "newId" | "caches">, input: RetractInput): Promise<RetractedView> {
  requirePermission(ctx.actor, "write");
  if (input.kind === "single" && input.rank !== undefined) throw breaksRule("rank", "A single fact has no rank.");
  const home = homeOf(ctx, input);
  const topic = topicNamed(await topicIndexOf(ctx), input.topic, "topic");
  const ofHome = sql`f.user_id = ${home.userId} and f.topic = ${topic} and f.session_id = ${home.sessionId}
    and f.project_id = ${home.projectId} and f.tenant_id = ${ctx.tenantId}`;
  const kinds = input.kind === undefined ? sql`true` : sql`f.kind = ${input.kind}`;
  const ranks = input.rank === undefined ? sql`true` : sql`f.kind = 'ranked' and f.rank = ${input.rank}`;
  const takesList = input.rank === undefined && input.kind !== "single";
  try {
    const retraction = ctx.db.run(sql`
      update facts as f set value = null, source_message_id = null, episode_id = null,
        created_at = ${ctx.now()}, stored_at = ${ctx.now()}
      where ${ofHome} and ${kinds} and ${ranks} and f.value is not null`);
    const results = await commit(ctx, {
      statements: [
        ...(noSuchPlace(input) === null ? [] : [failUnless(ctx.db, home.mayWrite)]),
        retraction,
        // The list as a whole is removed too: ranks of an older list that arrive later are older than the removal.
        ...(takesList
          ? [
              ctx.db.run(sql`
                insert into facts (user_id, topic, session_id, project_id, kind, rank, tenant_id, value, created_at, stored_at)
                select f.user_id, f.topic, f.session_id, f.project_id, 'ranked', ${WHOLE_LIST_RANK}, f.tenant_id, null,
                  ${ctx.now()}, ${ctx.now()}
                from facts f where ${ofHome} and changes() > 0
                group by f.user_id, f.topic, f.session_id, f.project_id, f.tenant_id
                on conflict (user_id, topic, session_id, project_id, kind, rank) do update set
                  created_at = excluded.created_at, stored_at = excluded.stored_at`),
            ]
          : []),
      ],
      audit: [
        { action: "fact.retracted", objectId: idOfHome(ctx, home), userId: home.userId, detail: {}, when: sql`changes() > 0` },
      ],
    });
    return { topic, retracted: results.changes(retraction) };
  } catch (error) {
    if (isLostRace(error)) throw noSuchPlace(input) ?? error;
    throw error;
  }
}
