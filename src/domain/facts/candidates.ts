import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { statement } from "#db/client";
import { type Columns, integer, nullable, row, text } from "#db/row";
import { seesEpisodesOf, type ViewerRef, viewerCte } from "#domain/visibility";

import type { Candidate } from "./choose-list.ts";

/** A topic by its key, or the last topic of the viewer's session. */
export type AskedTopic = string | null;

/**
 * The facts that may answer the viewer about a topic in their place, for `chooseList`: `columns` of the facts `f`, and `from`. A session's
 * facts are visible where its episodes are. It reads only the user's own facts of that topic.
 */
export function candidates<C extends Columns>(
  ctx: Ctx,
  viewer: ViewerRef,
  { topic, columns }: { topic: AskedTopic; columns: C },
) {
  const { tenantId } = ctx;
  const found = (from: Candidate["from"]) => row({ from: text<Candidate["from"]>(sql.raw(`'${from}'`)), ...columns });
  const ways = (from: Candidate["from"], where: SQL) => sql`
    select ${found(from).columns} from viewer v cross join asked a
    cross join facts f on f.user_id = v.user_id and f.topic = a.topic and ${where}
    where f.value is not null and f.tenant_id = ${tenantId}`;
  return statement(
    found("user"),
    sql`
    with ${viewerCte(viewer)},
    asked (topic) as materialized (${askedTopic(topic)}),
    spoken (session_id) as materialized (
      select l.session_id from (
        select f.session_id as session_id, max(f.created_at) as at from viewer v cross join asked a
        cross join facts f on f.user_id = v.user_id and f.topic = a.topic and f.session_id > 0 and f.session_id is not v.session_id
        where v.pool in ('project', 'user') and f.value is not null and f.tenant_id = ${tenantId} group by f.session_id) l
      cross join viewer v cross join sessions s on s.id = l.session_id
      where ${seesEpisodesOf(tenantId, sql`s`)} order by l.at desc, l.session_id desc limit 1)
    ${sql.join(
      [
        ways(
          "session",
          sql`f.project_id = 0 and f.session_id = (
            select s.id from sessions s where s.id = v.session_id and ${seesEpisodesOf(tenantId, sql`s`)})`,
        ),
        ways("project", sql`v.pool = 'project' and f.session_id = 0 and f.project_id = v.project_id`),
        ways("project_session", sql`v.pool = 'project' and f.project_id = 0 and f.session_id = (select session_id from spoken)`),
        ways("user_session", sql`v.pool = 'user' and f.project_id = 0 and f.session_id = (select session_id from spoken)`),
        ways("user", sql`v.pool = 'user' and f.session_id = 0 and f.project_id = 0`),
      ],
      sql` union all `,
    )}`,
  );
}

/** The topic as a column of one row, or of none. */
export function askedTopic(topic: AskedTopic): SQL {
  return topic !== null
    ? sql`select ${topic} as topic`
    : sql`select st.topic from viewer v cross join session_topics st on st.session_id = v.session_id and st.user_id = v.user_id
        where v.pool <> 'none'`;
}

/** One row if the viewer is known and has access to their place: the topic, when the session spoke of its last one, and their pool. */
export function findPlace(viewer: ViewerRef, topic: AskedTopic) {
  const place = row({
    topic: nullable(text(sql`(${askedTopic(topic)})`)),
    topicAt: nullable(
      integer(sql`(select st.at from session_topics st where st.session_id = viewer.session_id and st.user_id = viewer.user_id)`),
    ),
    pool: text<"user" | "project" | "session">(sql`viewer.pool`),
  });
  return statement(place, sql`with ${viewerCte(viewer)} select ${place.columns} from viewer where pool <> 'none'`);
}
