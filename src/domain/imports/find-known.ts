import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { read, readRows, select } from "#db/client";
import { flag, nullable, type RowOf, row, text } from "#db/row";
import { rowsInParts } from "#db/rows";
import { type NamedUser, userIdOf } from "#domain/tenants";
import { mayEnter } from "#domain/visibility";
import type { ConversationToStore } from "./conversation-to-store.ts";

const SESSION = row({
  externalId: text(sql`s.external_id`),
  projectExternalId: nullable(text(sql`(select p.external_id from projects p where p.id = s.project_id)`)),
  mayEnter: flag(mayEnter(sql`u`, sql`s`)),
  isOwner: flag(sql`s.owner_id = u.id`),
});
const MESSAGE = row({ externalId: text(sql`s.external_id`), messageId: text(sql`k.message_id`) });

/** Sessions that exist, by the app's ids. */
export type Sessions = ReadonlyMap<string, RowOf<typeof SESSION>>;

/** Ids of the messages that are stored, by the app's ids of their sessions. */
export type KnownMessages = ReadonlyMap<string, ReadonlySet<string>>;

/** The sessions that may be those of the conversations. */
export async function findSessions(
  ctx: Ctx<"db">,
  conversations: readonly ConversationToStore[],
  user: NamedUser,
): Promise<Sessions> {
  const names = JSON.stringify(
    conversations.flatMap(({ externalId, formerId }) => [externalId, ...(formerId === null ? [] : [formerId])]),
  );
  const found = await readRows(
    ctx,
    select(SESSION)`from json_each(${names}) j
      cross join sessions s on s.tenant_id = ${ctx.tenantId} and s.external_id = j.value
      left join users u on u.tenant_id = ${ctx.tenantId} and u.id = ${userIdOf(ctx.tenantId, user)}`,
  );
  return new Map(found.map((session) => [session.externalId, session]));
}

/** The conversation under the id of its session: that of an earlier version, if the user's is stored so. */
export function underStoredId(conversation: ConversationToStore, sessions: Sessions): ConversationToStore {
  const { externalId, formerId } = conversation;
  const isFormer = formerId !== null && !sessions.has(externalId) && sessions.get(formerId)?.isOwner === true;
  return isFormer ? { ...conversation, externalId: formerId } : conversation;
}

/** The messages that are stored in sessions which the user may enter. */
export async function findMessages(
  ctx: Ctx<"db">,
  conversations: readonly ConversationToStore[],
  sessions: Sessions,
): Promise<KnownMessages> {
  const asked = conversations.filter(({ externalId }) => sessions.get(externalId)?.mayEnter === true);
  const { stored } = await read(ctx, {
    stored: rowsInParts(asked.flatMap(({ externalId, messages }) => messages.map(({ id }) => [externalId, id]))).map(
      (part) =>
        select(MESSAGE)`from ${part} j
          cross join sessions s on s.tenant_id = ${ctx.tenantId} and s.external_id = j.c0
          cross join message_keys k on k.session_id = s.id and k.message_id = j.c1`,
    ),
  });
  const groups = Map.groupBy(stored, ({ externalId }) => externalId);
  return new Map([...groups].map(([id, rows]) => [id, new Set(rows.map(({ messageId }) => messageId))]));
}
