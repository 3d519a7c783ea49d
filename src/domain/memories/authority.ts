import { type SQL, sql } from "drizzle-orm";
import type { Caller } from "#context";
import { type AppError, notFound } from "#core/errors";
import { isAdmin } from "#core/permission";
import { actingUser, boundUserOf, type NamedUser, userIdOf, userNotNamed } from "#domain/tenants";

/** On whose behalf a write is done: a user's, or (null) the tenant's own, to which shared memories belong. */
export type Writer = { user: NamedUser | null };

/** A server key that names no user writes for the tenant itself, which has nothing but shared memories. */
export function writerOf(caller: Caller, named: string | undefined): Writer {
  const isServerKey = caller.actor.kind === "key" && boundUserOf(caller) === null;
  return { user: named === undefined && isServerKey ? null : actingUser(caller, named) };
}

/** What a writer is told of a memory that is not there for them: who named no user may have forgotten to. */
export function notFoundFor({ user }: Writer): AppError {
  return user === null ? userNotNamed() : notFound("memory");
}

/**
 * Whether the writer may change or forget the memory row `m`: a personal one's owner, whoever takes part in a group memory's session
 * now; a shared one is the tenant's.
 */
export function mayChange(caller: Caller, { user }: Writer, m: SQL): SQL {
  const userId = userIdOf(caller.tenantId, user);
  return sql`case ${m}.ownership
    when 'personal' then ${m}.owner_id = ${userId}
    when 'group' then exists (
      select 1 from participants cp where cp.session_id = ${m}.session_id and cp.user_id = ${userId} and cp.left_at is null)
    else ${user === null ? 1 : 0}
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
  return isAdmin(caller.actor) ? sql`true` : sql`${m}.owner_id = ${userIdOf(caller.tenantId, user)}`;
}
