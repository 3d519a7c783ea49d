import { sql } from "drizzle-orm";
import type { Ctx, TenantTopic } from "#context";
import { AppError, breaksRule, conflict, type FieldIssue, notFound } from "#core/errors";
import { requirePermission } from "#core/permission";
import { retryLostRace } from "#core/retry-lost-race";
import { refuseSecrets } from "#core/safety/refuse-secrets";
import { failUnless, isLostRace, isUniqueViolation } from "#db/guard";
import { rowsOf } from "#db/rows";
import { commit } from "#domain/audit";
import { LANGUAGES, type TopicInput, type TopicView } from "./schemas.ts";
import { createTopicIndex, knownTopic, nounKey } from "./topics.ts";
import { loadTopics, type StoredTopic } from "./topics-of.ts";
import { toTopic } from "./view.ts";

/** All topics of a tenant are read with every question. */
const MAX_TOPICS = 500;

type TopicCtx = Ctx<"db" | "now" | "newId" | "caches" | "wait" | "random">;
type Noun = TenantTopic["nouns"][number];

/**
 * Creates a topic of the tenant with these nouns, or replaces its nouns; under a built-in key, nouns in addition to the built-in ones. It
 * applies in this isolate at once, in others within seconds.
 * @throws conflict, which names the noun, if it belongs to another topic.
 */
export async function saveTopic(ctx: TopicCtx, key: string, input: TopicInput): Promise<{ topic: TopicView; created: boolean }> {
  requirePermission(ctx.actor, "admin");
  const nouns = distinct(input);
  return await retryLostRace(ctx, "Topics are being changed by somebody else at the same moment. Try again.", async () => {
    const topics = await loadTopics(ctx, sql`true order by t.key`);
    const before = topics.find((topic) => topic.key === key);
    refuseForeignNouns(key, { nouns, input, others: topics.filter((topic) => topic.key !== key) });
    if (before === undefined && topics.length >= MAX_TOPICS)
      throw conflict(`A tenant has ${MAX_TOPICS} topics of its own at most.`);
    const isSo = before !== undefined && JSON.stringify(before.nouns) === JSON.stringify(nouns);
    if (isSo) return { topic: toTopic(key, before), created: false };
    const stored = await storeTopic(ctx, { key, nouns, before, count: topics.length });
    if (stored === "lost") return "lost";
    ctx.caches.topics.delete(String(ctx.tenantId));
    return { topic: toTopic(key, stored), created: before === undefined };
  });
}

/** The nouns, each form once. @throws unprocessable for one without a letter or of too many words. */
function distinct({ nouns }: TopicInput): Noun[] {
  const byForm = new Map<string, Noun>();
  nouns.forEach(({ noun, language = null }, i) => {
    refuseSecrets({ noun }, `nouns[${i}].`);
    const form = nounKey(noun);
    if (form === "" || !/\p{L}/u.test(noun)) throw breaksRule(`nouns[${i}].noun`, "A noun has a letter, and six words at most.");
    if (!byForm.has(form)) byForm.set(form, { noun, language });
  });
  return [...byForm.values()];
}

/** @throws conflict for a noun that, in any of its possible languages, names another topic. */
function refuseForeignNouns(
  key: string,
  given: { nouns: readonly Noun[]; input: TopicInput; others: readonly TenantTopic[] },
): void {
  const others = createTopicIndex(given.others);
  for (const { noun, language } of given.nouns) {
    const topics = LANGUAGES.filter((each) => language === null || each === language).map((each) =>
      knownTopic(others, noun, each),
    );
    const foreign = topics.find((topic) => topic !== null && topic !== key);
    if (foreign === undefined) continue;
    const path = `nouns[${given.input.nouns.findIndex((each) => each.noun === noun)}].noun`;
    throw nounIsTaken([{ path, message: `This noun belongs to ${foreign}.` }]);
  }
}

function nounIsTaken(fields: readonly FieldIssue[]): AppError {
  return new AppError("conflict", "A noun belongs to one topic, and one of these belongs to another already.", { fields });
}

type Storing = { key: string; nouns: readonly Noun[]; before: StoredTopic | undefined; count: number };

/** `lost`, and nothing written, if the topics have changed since they were read. */
async function storeTopic(ctx: TopicCtx, { key, nouns, before, count }: Storing): Promise<StoredTopic | "lost"> {
  const ofTopic = sql`tenant_id = ${ctx.tenantId} and key = ${key}`;
  const updatedAt = Math.max(ctx.now(), (before?.updatedAt ?? 0) + 1);
  const words = rowsOf(nouns.map(({ noun }) => [nounKey(noun)]));
  try {
    await commit(ctx, {
      statements: [
        failUnless(
          ctx.db,
          sql`(select updated_at from topics where ${ofTopic}) is ${before?.updatedAt ?? null}
            and (select count(*) from topics where tenant_id = ${ctx.tenantId}) = ${count}`,
        ),
        ctx.db.run(sql`delete from topic_nouns where tenant_id = ${ctx.tenantId} and topic = ${key}`),
        ctx.db.run(sql`insert into topic_nouns (tenant_id, noun, topic) select ${ctx.tenantId}, j.c0, ${key} from ${words} j`),
        ctx.db.run(sql`
          insert into topics (tenant_id, key, nouns, created_at, updated_at)
          values (${ctx.tenantId}, ${key}, ${JSON.stringify(nouns)}, ${updatedAt}, ${updatedAt})
          on conflict (tenant_id, key) do update set nouns = excluded.nouns, updated_at = excluded.updated_at`),
      ],
      audit: [{ action: "topic.saved", objectId: key, userId: null, detail: { nouns: nouns.length } }],
    });
  } catch (error) {
    if (isLostRace(error) || isUniqueViolation(error)) return "lost";
    throw error;
  }
  return { key, nouns: [...nouns], updatedAt };
}

/** Deletes a topic of the tenant, or the nouns that it added to a built-in one. Facts under its key stay. */
export async function deleteTopic(ctx: TopicCtx, key: string): Promise<void> {
  requirePermission(ctx.actor, "admin");
  const deletion = ctx.db.run(sql`delete from topics where tenant_id = ${ctx.tenantId} and key = ${key}`);
  const results = await commit(ctx, {
    statements: [
      deletion,
      ctx.db.run(sql`delete from topic_nouns where tenant_id = ${ctx.tenantId} and topic = ${key} and changes() > 0`),
    ],
    audit: [{ action: "topic.deleted", objectId: key, userId: null, detail: {}, when: sql`changes() > 0` }],
  });
  ctx.caches.topics.delete(String(ctx.tenantId));
  if (results.changes(deletion) === 0) throw notFound("topic");
}
