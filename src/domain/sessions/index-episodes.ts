import { type SQL, sql } from "drizzle-orm";
import { shortenRedacted } from "#core/text/redacted";
import { integer, nullable, type RowOf, row } from "#db/row";
import { EPISODE, SESSION } from "#db/schema/sessions";
import { type Indexable, type IndexedRow, type Places, passageIn } from "#domain/indexing";
import { CHUNKS_PER_SESSION, sessionOf } from "./chunk-id.ts";
import { tokensOf } from "./parse-episodes-input.ts";

/** Written as a literal, because D1 binds a number as a real, which divides without rounding. */
const PER_SESSION = sql.raw(String(CHUNKS_PER_SESSION));

const PROJECT = sql`coalesce(s.project_id, 0)`;
const ROW = row({
  ...EPISODE.of(sql`e`, "id", "messages", "chunks", "occurredAt"),
  ...SESSION.of(sql`s`, "spaceId", "ownerId"),
  sessionId: integer(sql`s.id`),
  projectId: nullable(integer(sql`s.project_id`)),
  state: integer(PROJECT),
  edits: integer(sql`e.redactions`),
});

/** The sessions of a tenant, in the order in which they were made. */
const SESSIONS: Places = {
  table: "sessions",
  list: (tenantId, { at, after, isDone }, limit) => sql`
    select 0 as stage, s.id as at, s.space_id as space, iif(s.id = ${at}, ${after}, 0) as after from sessions s
    where s.tenant_id = ${tenantId} and s.id ${isDone ? sql`>` : sql`>=`} ${at} order by s.id limit ${limit}`,
};

/** Whether a passage belongs to the session `w` and comes after the position of the walk. */
const inSession = (id: SQL) => sql`${id} > max(w.at * ${PER_SESSION} - 1, w.after) and ${id} < (w.at + 1) * ${PER_SESSION}`;

/** A passage belongs to the last episode that starts at or before its id, if that episode is long enough. */
const owns = (passageId: SQL) => sql`(
  e.id = (
    select o.id from episodes o where o.id <= ${passageId} and o.id >= (${passageId} / ${PER_SESSION}) * ${PER_SESSION}
    order by o.id desc limit 1)
  and e.id + e.chunk_count > ${passageId})`;

/** What is indexed of episodes: each of their chunks. */
export const EPISODES: Indexable = {
  kind: "episode",
  prefix: "epi",
  table: "episodes",
  alias: "e",
  joins: sql`left join sessions s on s.id = e.session_id`,
  row: { columns: ROW.columns, decode: (values) => toIndexed(ROW.decode(values)) },
  // The text of an episode changes only where it is redacted, and its session can move to another project.
  state: PROJECT,
  edits: sql`e.redactions`,
  retag: (project) => ({ project }),
  space: sql`s.space_id`,
  changedAt: sql`e.created_at`,
  places: SESSIONS,
  rows: { join: sql`episodes e on ${inSession(sql`e.id`)}`, aStep: 100 },
  words: {
    table: "message_fts",
    space: sql`(select 's' || s.space_id from sessions s where s.id = e.session_id)`,
    stray: "passage.episode",
  },
  passages: {
    count: sql`e.chunk_count`,
    owns,
    words: {
      join: sql`message_fts_docsize d on ${inSession(sql`d.id`)} left join episodes e on ${owns(sql`d.id`)}`,
      id: sql`d.id`,
    },
  },
  jobs: { index: "episodes.index", reembed: "episodes.reembed", remove: "vectors.remove", later: "episodes.import" },
  payloads: (rows) =>
    [...Map.groupBy(rows, ({ id }) => sessionOf(id)).values()].map((group) => {
      const from = Math.min(...group.map(({ id }) => id));
      return { from, chunks: Math.max(...group.map(({ id, span }) => id + span)) - from };
    }),
  counts: { reindex: "episodesReindexed", removeWords: "passagesRemoved", embed: "episodesToEmbed" },
};

const HIDDEN = "[…]";

/** The speaker's name is part of the text, because a model needs to know who said it. */
function toIndexed({ id, messages, chunks, occurredAt, spaceId, state, edits, ...session }: RowOf<typeof ROW>): IndexedRow {
  const tags = { session: session.sessionId, project: session.projectId };
  return {
    id,
    space: spaceId,
    state,
    edits,
    passages: chunks.map((chunk) => {
      const message = messages[chunk.m];
      // No embedder takes an empty text. The passage is hidden from every search, whatever its vector says.
      const text = chunk.n === 0 ? HIDDEN : shortenRedacted(message?.text.slice(chunk.s, chunk.e) ?? "");
      return {
        text: message?.speaker == null || chunk.n === 0 ? text : `${message.speaker}: ${text}`,
        words: () => tokensOf(messages, chunk),
        at: message?.occurredAt ?? occurredAt,
        tags,
      };
    }),
  };
}

/** The chunk of a vector id, or null for another kind of vector. */
export function chunkOf(vectorId: string): number | null {
  return passageIn(EPISODES, vectorId);
}
