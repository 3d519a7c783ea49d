import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import type { Statement } from "#db/client";
import { runBatch } from "#domain/audit";
import { type UserRef, userIdOf } from "#domain/tenants";
import { isMember, type Pool, viewerCte } from "#domain/visibility";

/** A session's row with what names it outside, and what the asking user may see from where they stand. */
export type FoundSession = {
  id: number;
  publicId: string;
  externalId: string;
  kind: "private" | "group";
  spaceId: number;
  projectId: number | null;
  projectExternalId: string | null;
  /** Whether the asking user belongs to that project: others are not told of it. */
  projectIsSeen: number;
  title: string | null;
  nextSeq: number;
  lastAt: number | null;
  createdAt: number;
  /** A JSON array of external ids. */
  participants: string;
  /** Whether it is the asking user's own private session, which they may take out of a project that they no longer belong to. */
  isOwn: number | null;
  /** The asking user's pool when they stand in this session; null for a user who is not known. */
  pool: Pool | null;
};

/** Finds a session by the app's id in the tenant, whoever asks; `pool` says whether the user may be told of it. */
export function findSession(ctx: Ctx<"db">, asked: { externalId: string; user: UserRef }): Statement {
  const viewer = {
    tenantId: ctx.tenantId,
    user: asked.user,
    sessionExternalId: asked.externalId,
    projectExternalId: null,
    includeGroups: false,
  };
  return ctx.db.all(sql`
    with ${viewerCte(viewer)}
    select ${sessionColumns(isMember(userIdOf(ctx.tenantId, asked.user), sql`s.project_id`))}, (select pool from viewer) as pool,
      s.kind = 'private' and s.owner_id = ${userIdOf(ctx.tenantId, asked.user)} as isOwn
    from sessions s left join projects p on p.id = s.project_id
    where s.tenant_id = ${ctx.tenantId} and s.external_id = ${asked.externalId}`);
}

/** The columns of `FoundSession` but for `pool` and `isOwn`, from `sessions s left join projects p`; `seen` says whether its project may be shown. */
export const sessionColumns = (seen: SQL): SQL => sql`
  s.id as id, s.public_id as publicId, s.external_id as externalId, s.kind as kind, s.space_id as spaceId,
  s.project_id as projectId, p.external_id as projectExternalId, ${seen} as projectIsSeen, s.title as title, s.next_seq as nextSeq,
  s.last_at as lastAt, s.created_at as createdAt,
  case s.kind
    when 'private' then (select json_array(o.external_id) from users o where o.id = s.owner_id)
    else (select json_group_array(pu.external_id order by pu.id) from participants pa join users pu on pu.id = pa.user_id
          where pa.session_id = s.id and pa.left_at is null)
  end as participants`;

/** Rows of `findSession`, which selects exactly these columns. */
export function asFoundSession(rows: readonly Record<string, unknown>[]): FoundSession | undefined {
  return rows[0] as FoundSession | undefined;
}

/** The session if the user may be in it, else undefined, as if it did not exist. */
export async function enterSession(
  ctx: Ctx<"db">,
  asked: { externalId: string; user: UserRef },
): Promise<FoundSession | undefined> {
  const [found] = await runBatch(ctx, [findSession(ctx, asked)]);
  const session = asFoundSession(found?.rows ?? []);
  return session === undefined || session.pool === null || session.pool === "none" ? undefined : session;
}
