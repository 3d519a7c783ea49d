import type { DatabaseSync } from "node:sqlite";
import { nameKey } from "../../src/core/text/normalize.ts";
import { tenantSpaceId } from "../../src/domain/visibility/memory-predicate.ts";
import type { MemoryTemplate } from "./memory-templates.ts";
import type { Rows, User } from "./rows.ts";

export type Group = { sessionId: number; spaceId: number; tenantId: number; members: readonly User[] };

/** The owner of a memory: a user, a group, or the tenant. */
export type MemoryHome = { owner: User } | { group: Group } | { tenantId: number; spaceId: number; by: User };

export type MadeMemory = {
  home: MemoryHome;
  template: MemoryTemplate;
  key?: string;
  subjects: readonly number[];
  learnedIn?: number | null;
  pending?: boolean;
  /** The internal id of what it replaces. */
  supersedes?: number | null;
  /** How often its words were changed. */
  versions?: number;
  vectorModel: string | null;
};

export type MemoryRows = {
  person: (owner: User, name: string) => { id: number; publicId: string };
  group: (members: readonly [User, ...User[]]) => Group;
  tenantSpace: (tenantId: number) => number;
  memory: (made: MadeMemory) => { id: number; publicId: string };
  /** The job that makes the vectors of these memories. */
  indexing: (tenantId: number, ids: readonly number[]) => void;
};

/** Writes memories and their subjects as the product's own statements would store them. */
export function createMemoryRows(db: DatabaseSync, { newId, audit }: Rows): MemoryRows {
  const now = Date.now();
  const insert = prepare(db);
  const lastId = (result: { lastInsertRowid: number | bigint }) => Number(result.lastInsertRowid);

  return {
    person(owner, name) {
      const publicId = newId("person");
      const id = lastId(insert.person.run(publicId, owner.tenantId, name, owner.id, now, now));
      insert.personName.run(owner.tenantId, nameKey(name), id);
      audit(owner.tenantId, { action: "person.created", objectId: publicId, userId: owner.id, detail: {} });
      return { id, publicId };
    },

    group(members) {
      const [{ id: creator, tenantId }] = members;
      const spaceId = lastId(insert.space.run(newId("space"), tenantId, "session"));
      const publicId = newId("session");
      const sessionId = lastId(insert.group.run(publicId, tenantId, `group-${publicId}`, creator, spaceId, now));
      for (const member of members) insert.participant.run(sessionId, member.id, publicId, now);
      const participants = members.map(({ name }) => name);
      audit(tenantId, {
        action: "session.opened",
        objectId: publicId,
        userId: creator,
        detail: { kind: "group", projectId: null, participants },
      });
      return { sessionId, spaceId, tenantId, members };
    },

    tenantSpace: (tenantId) => lastId(insert.space.run(tenantSpaceId(tenantId), tenantId, "tenant")),

    memory({ home, template, subjects, vectorModel, ...made }) {
      const place = placeOf(home);
      const publicId = newId("memory");
      const status = made.pending === true ? "pending" : "approved";
      const version = (made.versions ?? 0) + 1;
      // Released first, as the product does it: the replacing memory takes the key.
      if (made.supersedes != null) insert.supersede.run(now, made.supersedes);
      const id = lastId(
        insert.memory.run(
          publicId,
          place.tenantId,
          place.spaceId,
          place.ownership,
          place.ownerId,
          place.sessionId,
          template.type,
          template.content,
          made.key ?? "",
          template.hash,
          made.pending === true ? 0.5 : 1,
          status,
          place.statedBy,
          made.learnedIn ?? place.sessionId,
          now,
          now,
          made.supersedes ?? null,
          now,
          template.lifeMs === null ? null : now + template.lifeMs,
          version,
          vectorModel,
          now,
          now,
        ),
      );
      if (made.supersedes != null) insert.superseded.run(id, made.supersedes);
      const spaces = [`s${place.spaceId}`, `s${place.spaceId}${template.type}`, ...subjects.map((person) => `p${person}`)];
      insert.text.run(id, spaces.join(" "), template.tokens);
      for (const person of subjects) insert.subject.run(id, person);
      for (let before = 1; before < version; before++)
        insert.version.run(id, before, JSON.stringify(versionData(template, { subjects, key: made.key, place })), now);
      const { ownership, tenantId, userId } = place;
      const detail = { ownership, type: template.type, status };
      audit(tenantId, { action: "memory.remembered", objectId: publicId, userId, detail });
      return { id, publicId };
    },

    indexing: (tenantId, ids) =>
      void insert.job.run(tenantId, newId("job"), "memories.index", JSON.stringify({ memories: ids }), now, now),
  };
}

type Place = {
  tenantId: number;
  spaceId: number;
  ownership: "personal" | "group" | "shared";
  ownerId: number | null;
  sessionId: number | null;
  statedBy: number | null;
  userId: number;
};

function placeOf(home: MemoryHome): Place {
  if ("owner" in home) {
    const { id, tenantId, spaceId, personId } = home.owner;
    return { tenantId, spaceId, ownership: "personal", ownerId: id, sessionId: null, statedBy: personId, userId: id };
  }
  if ("group" in home) {
    const { tenantId, spaceId, sessionId, members } = home.group;
    const [first] = members;
    return {
      tenantId,
      spaceId,
      ownership: "group",
      ownerId: null,
      sessionId,
      statedBy: first?.personId ?? null,
      userId: first?.id ?? 0,
    };
  }
  const { tenantId, spaceId, by } = home;
  return { tenantId, spaceId, ownership: "shared", ownerId: null, sessionId: null, statedBy: null, userId: by.id };
}

function versionData(
  { content, type }: MemoryTemplate,
  of: { subjects: readonly number[]; key: string | undefined; place: Place },
) {
  return {
    ...{ content, type, key: of.key ?? null, workspaceId: null, scopeType: null, scopeId: null, confidence: 1 },
    ...{ sensitivity: null, portable: true, metadata: {}, subjects: of.subjects, statedBy: of.place.statedBy },
    ...{ learnedIn: null, learnedAt: 0, status: "approved" },
  };
}

function prepare(db: DatabaseSync) {
  return {
    space: db.prepare("insert into spaces (public_id, tenant_id, kind) values (?, ?, ?)"),
    person: db.prepare(
      "insert into persons (public_id, tenant_id, name, aliases, created_by, created_at, updated_at) values (?, ?, ?, '[]', ?, ?, ?)",
    ),
    personName: db.prepare("insert into person_names (tenant_id, name_key, person_id) values (?, ?, ?)"),
    group: db.prepare(
      `insert into sessions (public_id, tenant_id, external_id, kind, owner_id, space_id, tagged_project_id, created_at)
       values (?, ?, ?, 'group', ?, ?, 0, ?)`,
    ),
    participant: db.prepare("insert into participants (session_id, user_id, session_public_id, joined_at) values (?, ?, ?, ?)"),
    memory: db.prepare(
      `insert into memories (public_id, tenant_id, space_id, ownership, owner_id, session_id, type, content, key, hash, workspace_id,
         confidence, status, metadata, stated_by, learned_in, learned_at, valid_from, supersedes, last_seen_at, expires_at, version,
         vector_model, created_at, updated_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', ?, ?, '{}', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    supersede: db.prepare("update memories set superseded_by = 0, valid_to = ?, version = version + 1 where id = ?"),
    superseded: db.prepare("update memories set superseded_by = ? where id = ?"),
    text: db.prepare("insert into memory_fts (rowid, space, text) values (?, ?, ?)"),
    subject: db.prepare("insert into memory_subjects (memory_id, person_id) values (?, ?)"),
    version: db.prepare("insert into memory_versions (memory_id, version, data, replaced_at) values (?, ?, ?, ?)"),
    job: db.prepare(
      `insert into jobs (tenant_id, id, kind, payload, status, attempts, due_at, created_at)
       values (?, ?, ?, ?, 'pending', 0, ?, ?)`,
    ),
  };
}
