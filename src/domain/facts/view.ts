import { sql } from "drizzle-orm";
import type { TenantTopic } from "#context";
import { toIso } from "#core/fields";
import { integer, nullable, type RowOf, row, text } from "#db/row";
import { FACT } from "#db/schema/facts";
import { BUILT_IN_NOUNS } from "./built-in-topics.ts";
import type { FactView, TopicView } from "./schemas.ts";
import { labelOf } from "./topics.ts";

/** Of a fact with a value, from `facts f`, with the app's ids. */
export const FACT_COLUMNS = {
  ...FACT.of(sql`f`, "topic", "kind", "rank", "createdAt", "storedAt"),
  session: integer(sql`f.session_id`),
  value: text(sql`f.value`),
  messageId: nullable(text(sql`f.source_message_id`)),
  sessionId: nullable(text(sql`(select fs.external_id from sessions fs where fs.id = f.session_id)`)),
  projectId: nullable(text(sql`(select fp.external_id from projects fp where fp.id = f.project_id)`)),
  episodeId: nullable(text(sql`(select fe.public_id from episodes fe where fe.id = f.episode_id)`)),
};

export const FACT_ROW = row(FACT_COLUMNS);

export function toFact(fact: RowOf<typeof FACT_ROW>, standing: FactView["standing"]): FactView {
  return {
    topic: fact.topic,
    label: labelOf(fact.topic),
    kind: fact.kind,
    rank: fact.kind === "single" ? null : fact.rank,
    value: fact.value,
    standing,
    scope: fact.sessionId !== null ? "session" : fact.projectId !== null ? "project" : "user",
    sessionId: fact.sessionId,
    projectId: fact.projectId,
    sourceMessageId: fact.messageId,
    episodeId: fact.episodeId,
    createdAt: toIso(fact.createdAt),
    storedAt: toIso(fact.storedAt),
  };
}

export function isBuiltIn(key: string): boolean {
  return Object.hasOwn(BUILT_IN_NOUNS, key);
}

export function toTopic(key: string, own: (TenantTopic & { updatedAt: number }) | undefined): TopicView {
  return {
    key,
    label: labelOf(key),
    builtIn: isBuiltIn(key),
    nouns: own?.nouns ?? [],
    updatedAt: own === undefined ? null : toIso(own.updatedAt),
  };
}
