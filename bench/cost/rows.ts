import type { DatabaseSync } from "node:sqlite";
import { type IdKind, publicId } from "../../src/core/ids.ts";
import { nameKey } from "../../src/core/text/normalize.ts";
import { firstChunkOf } from "../../src/domain/sessions/chunk-id.ts";
import { between, type Random } from "./chat-text.ts";
import type { Template } from "./templates.ts";

export const EPISODES_PER_SESSION = 25;

/** More than a database is given; an id is a millisecond later than the last, and none is in the future. */
const MOST_IDS = 10_000_000;

export type User = { id: number; spaceId: number; tenantId: number; personId: number; name: string };
export type Session = { id: number; name: string; chunks: number };

/** What the audit says of a mutation, beside when it was and who asked for it. */
type AuditRow = { action: string; objectId: string; userId: number; detail: object };

export type Rows = {
  newId: (kind: IdKind) => string;
  tenant: (name: string) => number;
  user: (tenantId: number, name: string) => User;
  project: (owner: User, name: string) => number;
  /** A session of the user with its episodes; `vectorModel` is null when the vectors are still to be made, by the job that is stored with it. */
  session: (owner: User, made: { projectId: number | null; vectorModel: string | null; random: Random }) => Session;
  audit: (tenantId: number, row: AuditRow) => void;
};

/**
 * Writes rows as the product's own statements would store them. Each session came in one request; what happened before a user's first
 * session is left out.
 */
export function createRows(db: DatabaseSync, templates: readonly (readonly Template[])[]): Rows {
  const now = Date.now();
  const insert = prepare(db);
  let written = 0;
  /** Each later than the one before, so that what is listed by id is in the same order in every database. */
  const newId = (kind: IdKind) => publicId(kind, now - MOST_IDS + ++written);
  const lastId = (result: { lastInsertRowid: number | bigint }) => Number(result.lastInsertRowid);

  const seqs = new Map<number, number>();
  const keys = new Map<number, string>();

  const audit = (tenantId: number, { action, objectId, userId, detail }: AuditRow): void => {
    const seq = (seqs.get(tenantId) ?? 0) + 1;
    seqs.set(tenantId, seq);
    const key = keys.get(tenantId) ?? newId("key");
    keys.set(tenantId, key);
    insert.audit.run(
      tenantId,
      seq,
      newId("audit"),
      now,
      key,
      userId,
      action,
      objectId,
      JSON.stringify(detail),
      crypto.randomUUID(),
    );
  };

  const space = (tenantId: number, kind: string) => lastId(insert.space.run(newId("space"), tenantId, kind));

  return {
    newId,
    audit,

    tenant: (name) => lastId(insert.tenant.run(newId("tenant"), name, now)),

    user(tenantId, name) {
      const spaceId = space(tenantId, "user");
      const id = lastId(insert.user.run(newId("user"), tenantId, name, spaceId, now));
      const personId = lastId(insert.person.run(newId("person"), tenantId, id, name, id, now, now));
      insert.personName.run(tenantId, nameKey(name), personId);
      return { id, spaceId, tenantId, personId, name };
    },

    project(owner, name) {
      const spaceId = space(owner.tenantId, "project");
      return lastId(insert.project.run(newId("project"), owner.tenantId, name, owner.id, spaceId, name, now));
    },

    session(owner, { projectId, vectorModel, random }) {
      const { tenantId } = owner;
      const month = templates[between(random, 0, templates.length - 1)] ?? [];
      const publicSessionId = newId("session");
      const name = `chat-${publicSessionId}`;
      const id = lastId(
        insert.session.run(publicSessionId, tenantId, name, owner.id, owner.spaceId, projectId, projectId ?? 0, now),
      );
      audit(tenantId, {
        action: "session.opened",
        objectId: publicSessionId,
        userId: owner.id,
        detail: { kind: "private", projectId: null, participants: [] },
      });
      let [seq, lastAt, firstEpisode] = [0, 0, ""];
      for (let i = 0; i < EPISODES_PER_SESSION; i++) {
        const template = month[between(random, 0, month.length - 1)];
        if (template === undefined) throw new Error("There are no templates.");
        const { chunks, chunkCount, occurredAt, tokens } = template;
        const episodeId = firstChunkOf(id) + seq;
        const [head, middle, end] = template.messages;
        const messageIds = [`${i}-question`, `${i}-answer`];
        const messages = `${head}${messageIds[0]}${middle}${messageIds[1]}${end}`;
        const publicEpisodeId = newId("episode");
        if (i === 0) firstEpisode = publicEpisodeId;
        insert.episode.run(
          episodeId,
          publicEpisodeId,
          tenantId,
          id,
          messages,
          chunks,
          chunkCount,
          occurredAt,
          occurredAt,
          now,
          vectorModel,
        );
        tokens.forEach((text, chunk) => void insert.text.run(episodeId + chunk, `s${owner.spaceId}`, text));
        messageIds.forEach((messageId, ordinal) => void insert.messageKey.run(id, messageId, episodeId, ordinal));
        seq += chunkCount;
        lastAt = Math.max(lastAt, occurredAt);
      }
      insert.sessionEnd.run(seq, lastAt, id);
      audit(tenantId, {
        action: "episodes.appended",
        objectId: firstEpisode,
        userId: owner.id,
        detail: { episodes: EPISODES_PER_SESSION, chunks: seq },
      });
      if (vectorModel === null) {
        const payload = JSON.stringify({ from: firstChunkOf(id), chunks: seq });
        insert.job.run(tenantId, newId("job"), "episodes.index", payload, now, now);
      }
      return { id, name, chunks: seq };
    },
  };
}

function prepare(db: DatabaseSync) {
  return {
    tenant: db.prepare("insert into tenants (public_id, name, created_at) values (?, ?, ?)"),
    space: db.prepare("insert into spaces (public_id, tenant_id, kind) values (?, ?, ?)"),
    user: db.prepare("insert into users (public_id, tenant_id, external_id, space_id, created_at) values (?, ?, ?, ?, ?)"),
    person: db.prepare(
      `insert into persons (public_id, tenant_id, user_id, name, aliases, created_by, created_at, updated_at)
       values (?, ?, ?, ?, '[]', ?, ?, ?)`,
    ),
    personName: db.prepare("insert into person_names (tenant_id, name_key, person_id) values (?, ?, ?)"),
    audit: db.prepare(
      `insert into audit (tenant_id, seq, id, at, actor_kind, actor_id, user_id, action, object_id, detail, request_id, salt)
       values (?, ?, ?, ?, 'key', ?, ?, ?, ?, ?, ?, lower(hex(randomblob(16))))`,
    ),
    project: db.prepare(
      "insert into projects (public_id, tenant_id, external_id, owner_id, space_id, name, created_at) values (?, ?, ?, ?, ?, ?, ?)",
    ),
    session: db.prepare(
      `insert into sessions (public_id, tenant_id, external_id, kind, owner_id, space_id, project_id, last_at, tagged_project_id, created_at)
       values (?, ?, ?, 'private', ?, ?, ?, 0, ?, ?)`,
    ),
    sessionEnd: db.prepare("update sessions set next_seq = ?, last_at = ? where id = ?"),
    episode: db.prepare(
      `insert into episodes (id, public_id, tenant_id, session_id, messages, chunks, chunk_count, first_at, occurred_at, created_at, vector_model)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    text: db.prepare("insert into message_fts (rowid, space, text) values (?, ?, ?)"),
    messageKey: db.prepare("insert into message_keys (session_id, message_id, episode_id, ordinal) values (?, ?, ?, ?)"),
    job: db.prepare(
      `insert into jobs (tenant_id, id, kind, payload, status, attempts, due_at, created_at)
       values (?, ?, ?, ?, 'pending', 0, ?, ?)`,
    ),
  };
}
