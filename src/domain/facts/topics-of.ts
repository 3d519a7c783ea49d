import { sql } from "drizzle-orm";
import type { Ctx, TenantTopic } from "#context";
import { loadTopics } from "./load-topics.ts";
import { createTopicIndex, type TopicIndex } from "./topics.ts";

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

/** The nouns that the tenant's questions and lists are read with. */
export async function topicIndexOf(ctx: Ctx<"db" | "caches" | "now">): Promise<TopicIndex> {
  const topics = await topicsOf(ctx);
  const topicIndex = topicIndexes.get(topics) ?? createTopicIndex(topics);
  topicIndexes.set(topics, topicIndex);
  return topicIndex;
}
