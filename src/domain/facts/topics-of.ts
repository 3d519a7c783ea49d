import { type SQL, sql } from "drizzle-orm";
import type { Ctx, TenantTopic } from "#context";
import { notFound } from "#core/errors";
import { decodeCursor, type Page, toPage } from "#core/page";
import { requirePermission } from "#core/permission";
import { read, statement } from "#db/client";
import { type RowOf, row } from "#db/row";
import { TOPIC } from "#db/schema/facts";
import { BUILT_IN_NOUNS } from "./built-in-topics.ts";
import type { TopicListInput, TopicView } from "./schemas.ts";
import { createTopicIndex, type TopicIndex } from "./topics.ts";
import { isBuiltIn, toTopic } from "./view.ts";

const TOPIC_ROW = row(TOPIC.of(sql`t`, "key", "nouns", "updatedAt"));

export type StoredTopic = RowOf<typeof TOPIC_ROW>;

/** The tenant's own topics `t` as D1 has them now. */
export async function loadTopics(ctx: Ctx<"db">, which: SQL): Promise<StoredTopic[]> {
  const { topics } = await read(ctx, {
    topics: statement(TOPIC_ROW, sql`select ${TOPIC_ROW.columns} from topics t where t.tenant_id = ${ctx.tenantId} and ${which}`),
  });
  return topics;
}

/** The tenant's own topics, for verbs: cached for seconds, so another isolate's change counts within that time. */
export async function topicsOf(ctx: Ctx<"db" | "caches" | "now">): Promise<readonly TenantTopic[]> {
  const cacheKey = String(ctx.tenantId);
  const cached = ctx.caches.topics.get(cacheKey, ctx.now());
  if (cached !== undefined) return cached;
  const topics = await loadTopics(ctx, sql`true order by t.key`);
  ctx.caches.topics.set(cacheKey, topics, ctx.now());
  return topics;
}

/** Made once for each list of topics that is cached. */
const topicIndexes = new WeakMap<readonly TenantTopic[], TopicIndex>();

/** The nouns by which the tenant's questions and lists are parsed. */
export async function topicIndexOf(ctx: Ctx<"db" | "caches" | "now">): Promise<TopicIndex> {
  const topics = await topicsOf(ctx);
  const topicIndex = topicIndexes.get(topics) ?? createTopicIndex(topics);
  topicIndexes.set(topics, topicIndex);
  return topicIndex;
}

/** The built-in topics and the tenant's own, by key. */
export async function listTopics(ctx: Ctx<"db">, input: TopicListInput): Promise<Page<TopicView>> {
  requirePermission(ctx.actor, "read");
  const [after = ""] = input.cursor === undefined ? [] : decodeCursor("topics", input.cursor, ["string"]);
  const own = await loadTopics(ctx, sql`t.key > ${String(after)} order by t.key limit ${input.limit + 1}`);
  const byKey = new Map(own.map((topic) => [topic.key, topic]));
  const builtIn = Object.keys(BUILT_IN_NOUNS).filter((key) => key > String(after));
  const keys = [...new Set([...byKey.keys(), ...builtIn])].toSorted().slice(0, input.limit + 1);
  return toPage(keys, input.limit, { list: "topics", item: (key) => toTopic(key, byKey.get(key)), position: (key) => [key] });
}

export async function getTopic(ctx: Ctx<"db">, key: string): Promise<TopicView> {
  requirePermission(ctx.actor, "read");
  const [own] = await loadTopics(ctx, sql`t.key = ${key}`);
  if (own === undefined && !isBuiltIn(key)) throw notFound("topic");
  return toTopic(key, own);
}
