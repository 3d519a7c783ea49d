import { type SQL, sql } from "drizzle-orm";
import type { Caller } from "#context";
import { type UserRef, userIdOf } from "#domain/tenants";

/** On whose behalf a write is done. A key that names no user also acts as the tenant itself. */
export type Writer = { user: UserRef; asTenant: boolean };

export function writerOf(caller: Caller, user: UserRef, named: string | undefined): Writer {
  return { user, asTenant: named === undefined && caller.actor.kind === "key" };
}

/**
 * Whether the writer may change or forget the memory row `m`: a personal one's owner, whoever takes part in a group memory's session
 * now; a shared one is the tenant's.
 */
export function mayChange(caller: Caller, { user, asTenant }: Writer, m: SQL): SQL {
  const userId = userIdOf(caller.tenantId, user);
  return sql`case ${m}.ownership
    when 'personal' then ${m}.owner_id = ${userId}
    when 'group' then exists (
      select 1 from participants cp where cp.session_id = ${m}.session_id and cp.user_id = ${userId} and cp.left_at is null)
    else ${asTenant ? 1 : 0}
  end`;
}

/**
 * Whether the writer may bring back the forgotten memory row `m`: who may change it, and in a group took part when it was forgotten. To who
 * joined later, or came back later, it never was there.
 */
export function mayRestore(caller: Caller, writer: Writer, m: SQL): SQL {
  return sql`(${mayChange(caller, writer, m)} and (${m}.session_id is null or exists (
    select 1 from participants rp where rp.session_id = ${m}.session_id and rp.user_id = ${userIdOf(caller.tenantId, writer.user)}
      and rp.joined_at <= ${m}.deleted_at and (rp.left_at is null or rp.left_at >= ${m}.deleted_at))))`;
}

/** Whether the writer may approve or reject the memory row `m`: its owner, or any key with the permission `admin`. */
export function mayReview(caller: Caller, { user }: Writer, m: SQL): SQL {
  const isAdmin = caller.actor.kind === "key" && caller.actor.permissions.includes("admin");
  return isAdmin ? sql`true` : sql`${m}.owner_id = ${userIdOf(caller.tenantId, user)}`;
}
