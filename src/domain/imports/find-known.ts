import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { read, readRows, select } from "#db/client";
import { flag, row, text } from "#db/row";
import { rowsInParts } from "#db/rows";
import { type NamedUser, userIdOf } from "#domain/tenants";
import { mayEnter } from "#domain/visibility";
import type { ConversationToStore } from "./conversation-to-store.ts";

const SESSION = row({ externalId: text(sql`s.external_id`), mayEnter: flag(mayEnter(sql`u`, sql`s`)) });
const MESSAGE = row({ externalId: text(sql`s.external_id`), messageId: text(sql`k.message_id`) });

/** What is stored of conversations. */
export type Known = {
  /** Sessions that exist, by the app's ids, and whether the user may enter them. */
  sessions: ReadonlyMap<string, boolean>;
  /** Of the sessions that the user may enter: ids of messages. */
  messages: ReadonlyMap<string, ReadonlySet<string>>;
};

/** One round trip where nothing is stored, else two. */
export async function findKnown(ctx: Ctx<"db">, conversations: readonly ConversationToStore[], user: NamedUser): Promise<Known> {
  const names = JSON.stringify(conversations.map(({ externalId }) => externalId));
  const found = await readRows(
    ctx,
    select(SESSION)`from json_each(${names}) j
      cross join sessions s on s.tenant_id = ${ctx.tenantId} and s.external_id = j.value
      left join users u on u.tenant_id = ${ctx.tenantId} and u.id = ${userIdOf(ctx.tenantId, user)}`,
  );
  const sessions = new Map(found.map((session) => [session.externalId, session.mayEnter]));
  const asked = conversations.filter(({ externalId }) => sessions.get(externalId) === true);
  const { stored } = await read(ctx, {
    stored: rowsInParts(asked.flatMap(({ externalId, messages }) => messages.map(({ id }) => [externalId, id]))).map(
      (part) =>
        select(MESSAGE)`from ${part} j
          cross join sessions s on s.tenant_id = ${ctx.tenantId} and s.external_id = j.c0
          cross join message_keys k on k.session_id = s.id and k.message_id = j.c1`,
    ),
  });
  const groups = Map.groupBy(stored, ({ externalId }) => externalId);
  return { sessions, messages: new Map([...groups].map(([id, rows]) => [id, new Set(rows.map(({ messageId }) => messageId))])) };
}
