import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { decodeCursor, type Page, toPage } from "#core/page";
import { requirePermission } from "#core/permission";
import { BUILT_IN_NOUNS } from "./built-in-topics.ts";
import { loadTopics } from "./load-topics.ts";
import type { TopicListInput, TopicView } from "./schemas.ts";
import { isBuiltIn, toTopic } from "./view.ts";

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
