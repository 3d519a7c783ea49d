import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { toIso } from "#core/fields";
import type { Statement } from "#db/client";
import { failUnless } from "#db/guard";
import { SUMMARY_KEY, SUMMARY_SOURCE } from "#db/schema/memories";
import { type AuditEntry, commitUnlessLost } from "#domain/audit";
import { ingestMemories, type MemoryDraftInput } from "#domain/memories";
import type { EpisodeToSummarize, Surroundings } from "./load-episodes.ts";
import type { SessionToSummarize } from "./load-session.ts";
import type { WrittenSummary } from "./write-summary.ts";

export type StoreCtx = Ctx<"db" | "now" | "newId" | "jobs" | "defer" | "embedder" | "caches" | "log" | "wait" | "random">;

type Part = { session: SessionToSummarize; episodes: readonly EpisodeToSummarize[]; surroundings: Surroundings };

const MAX_SUBJECTS = 20;

/**
 * Stores a summary as a memory and marks its episodes, in one batch, which fails if one of them has been summarized, redacted or deleted since
 * it was read, or the session has moved. Returns the memory's public id.
 * @throws conflict for such a race.
 */
export async function storeSummary(ctx: StoreCtx, part: Part & { writer: string }, summary: WrittenSummary): Promise<string> {
  const { session, episodes, writer } = part;
  const key = `${SUMMARY_KEY}${episodes[0]?.publicId}`;
  const memoryOf = sql`(
    select m.id from memories m where m.space_id = ${session.spaceId} and m.key = ${key} and m.key <> '' and m.deleted_at is null
      and m.superseded_by is null and m.tenant_id = ${ctx.tenantId})`;
  const draft = toDraft(part, summary, key);
  const [stored] = await ingestMemories(
    ctx,
    { userId: writer, memories: [draft] },
    {
      keepsOwn: false,
      alongside: [stillAsRead(ctx, part)],
      after: [
        ...markSummarized(ctx, episodes, memoryOf),
        failUnless(
          ctx.db,
          sql`(select count(*) from episodes e where e.summary_id = ${memoryOf} and ${idsIn(episodes)}) = ${episodes.length}`,
        ),
      ],
      audit: [auditOf(part, { by: summary.by, tokensBefore: summary.tokensBefore, tokensAfter: summary.tokensAfter })],
    },
  );
  return stored?.id ?? "";
}

/** Marks episodes that have nothing to summarize, so that they are not read again. */
export async function markWithoutContent(ctx: Ctx<"db" | "now" | "newId">, part: Part): Promise<"lost" | "marked"> {
  const statements = [stillAsRead(ctx, part), ...markSummarized(ctx, part.episodes, sql`0`)];
  const marked = await commitUnlessLost(ctx, { statements, audit: [auditOf(part, { by: "nothing" })] });
  return marked === "lost" ? "lost" : "marked";
}

function toDraft({ session, episodes, surroundings }: Part, summary: WrittenSummary, key: string): MemoryDraftInput {
  const { content, by, from, to, tokensBefore, tokensAfter, sensitivity } = summary;
  const isGroup = session.kind === "group";
  const people = [...surroundings.speakers.values()].map(({ personId }) => personId);
  return {
    ...{ content, key, type: "knowledge", confidence: 1, sensitivity, portable: false },
    ...(isGroup ? { sessionId: session.externalId } : {}),
    ...(isGroup || session.projectExternalId === null ? {} : { scopeType: "project", scopeId: session.projectExternalId }),
    // In a project that others read, its user sees it as one of those whom it concerns.
    subjects: isGroup || session.projectExternalId !== null ? people.slice(0, MAX_SUBJECTS) : [],
    validFrom: toIso(to),
    learnedIn: { sessionId: session.externalId },
    metadata: {
      ...{ source: SUMMARY_SOURCE, by, from: toIso(from), to: toIso(to), tokensBefore, tokensAfter },
      episodes: episodes.map(({ publicId }) => publicId),
    },
  };
}

function idsIn(episodes: readonly EpisodeToSummarize[]) {
  return sql`e.id in (select value from json_each(${JSON.stringify(episodes.map(({ id }) => id))}))`;
}

function stillAsRead(ctx: Ctx<"db">, { session, episodes }: Part): Statement {
  const read = JSON.stringify(episodes.map(({ id, redactions }) => [id, redactions]));
  return failUnless(
    ctx.db,
    sql`(select count(*) from json_each(${read}) j cross join episodes e on e.id = j.value ->> 0
        where e.tenant_id = ${ctx.tenantId} and e.summary_id is null and e.redactions = j.value ->> 1) = ${episodes.length}
      and (select s.project_id from sessions s where s.id = ${session.id}) is ${session.projectId}`,
  );
}

function markSummarized(ctx: Ctx<"db">, episodes: readonly EpisodeToSummarize[], memory: ReturnType<typeof sql>): Statement[] {
  return [
    ctx.db.run(sql`update episodes as e set summary_id = ${memory} where ${idsIn(episodes)} and e.tenant_id = ${ctx.tenantId}`),
  ];
}

function auditOf({ session, episodes }: Part, detail: Record<string, unknown>): AuditEntry {
  return {
    ...{ action: "session.summarized", objectId: session.publicId, userId: session.writerId },
    detail: { episodes: episodes.length, ...detail },
  };
}
