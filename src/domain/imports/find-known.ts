import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { read, readRows, select } from "#db/client";
import { flag, nullable, type RowOf, row, text } from "#db/row";
import { rowsInParts } from "#db/rows";
import { type NamedUser, userIdOf } from "#domain/tenants";
import { mayEnter } from "#domain/visibility";
import type { ConversationToStore } from "./conversation-to-store.ts";
import { isOfBase } from "./own-id.ts";

const SESSION = row({
  base: text(sql`j.value ->> 0`),
  externalId: text(sql`s.external_id`),
  projectExternalId: nullable(text(sql`(select p.external_id from projects p where p.id = s.project_id)`)),
  mayEnter: flag(mayEnter(sql`u`, sql`s`)),
  /** A private session of the user's. */
  isOwner: flag(sql`(s.owner_id is u.id and s.kind = 'private')`),
});
const MESSAGE = row({ externalId: text(sql`s.external_id`), messageId: text(sql`k.message_id`) });

/** Sessions that exist, by the app's ids; `owned`: the ids of the user's private ones, by what an import calls them (`OwnId`). */
export type Sessions = { stored: ReadonlyMap<string, RowOf<typeof SESSION>>; owned: ReadonlyMap<string, readonly string[]> };

/** Ids of the messages that are stored, by the app's ids of their sessions. */
export type KnownMessages = ReadonlyMap<string, ReadonlySet<string>>;

/** The sessions that may be those of the conversations. */
export async function findSessions(
  ctx: Ctx<"db">,
  conversations: readonly ConversationToStore[],
  user: NamedUser,
): Promise<Sessions> {
  const names = JSON.stringify([...new Map(conversations.map(({ base, externalId }) => [base, [base, externalId]])).values()]);
  const found = await readRows(
    ctx,
    select(SESSION)`from json_each(${names}) j
      cross join sessions s on s.tenant_id = ${ctx.tenantId} and ${isOfBase(sql`s.external_id`, sql`(j.value ->> 0)`)}
      left join users u on u.tenant_id = ${ctx.tenantId} and u.id = ${userIdOf(ctx.tenantId, user)}
      where s.owner_id is u.id or s.external_id = j.value ->> 1 order by s.id`,
  );
  const owned = Map.groupBy(
    found.filter(({ isOwner }) => isOwner),
    ({ base }) => base,
  );
  return {
    stored: new Map(found.map((session) => [session.externalId, session])),
    owned: new Map([...owned].map(([base, sessions]) => [base, sessions.map(({ externalId }) => externalId)])),
  };
}

/** The conversation under the id of the user's session that holds it, if there is one. */
export function underStoredId(conversation: ConversationToStore, { owned }: Sessions): ConversationToStore {
  const { externalId, base } = conversation;
  const ids = owned.get(base) ?? [];
  return ids.includes(externalId) ? conversation : { ...conversation, externalId: ids[0] ?? externalId };
}

/** The messages that are stored in sessions which the user may enter. */
export async function findMessages(
  ctx: Ctx<"db">,
  conversations: readonly ConversationToStore[],
  sessions: Sessions,
): Promise<KnownMessages> {
  const asked = conversations.filter(({ externalId }) => sessions.stored.get(externalId)?.mayEnter === true);
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
