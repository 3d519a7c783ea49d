CREATE TABLE memories (
  id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  public_id text NOT NULL,
  tenant_id integer NOT NULL,
  space_id integer NOT NULL,
  ownership text NOT NULL,
  owner_id integer,
  session_id integer,
  type text NOT NULL,
  content text NOT NULL,
  key text NOT NULL,
  hash text NOT NULL,
  workspace_id text NOT NULL,
  scope_type text,
  scope_id text,
  confidence real NOT NULL,
  sensitivity text,
  portable integer DEFAULT 1 NOT NULL,
  pinned integer DEFAULT 0 NOT NULL,
  status text NOT NULL,
  pii_risk integer DEFAULT 0 NOT NULL,
  metadata text NOT NULL CHECK (json_valid(metadata) AND json_type(metadata) = 'object'),
  stated_by integer,
  learned_in integer,
  episode_id integer,
  learned_at integer NOT NULL,
  valid_from integer NOT NULL,
  valid_to integer,
  superseded_by integer,
  supersedes integer,
  contradicts integer,
  seen_count integer DEFAULT 1 NOT NULL,
  last_seen_at integer NOT NULL,
  recalled_at integer,
  expires_at integer,
  deleted_at integer,
  deleted_because text,
  version integer DEFAULT 1 NOT NULL,
  vector_model text,
  created_at integer NOT NULL,
  updated_at integer NOT NULL,
  CHECK (CASE ownership
    WHEN 'personal' THEN owner_id IS NOT NULL AND session_id IS NULL
    WHEN 'group' THEN owner_id IS NULL AND session_id IS NOT NULL
    WHEN 'shared' THEN owner_id IS NULL AND session_id IS NULL AND sensitivity IS NULL
    ELSE 0 END),
  CHECK (type IN ('preference', 'identity', 'relationship', 'knowledge', 'procedural', 'context', 'event', 'task', 'observation')),
  CHECK (confidence BETWEEN 0 AND 1),
  CHECK (sensitivity IN ('personal', 'sensitive')),
  CHECK (status IN ('approved', 'pending', 'rejected')),
  CHECK (scope_id IS NULL OR scope_type IS NOT NULL)
);

-- Text search over memories, as message_fts does it for episodes. A row's id is the memory's; "space" holds the token of
-- its space and one for each person that it is about.
CREATE VIRTUAL TABLE memory_fts USING fts5 (
  space,
  text,
  content = '',
  contentless_delete = 1,
  detail = 'column',
  tokenize = 'ascii'
);

CREATE UNIQUE INDEX memories_public_id ON memories (public_id);

CREATE UNIQUE INDEX memories_words ON memories (space_id,hash,key) WHERE deleted_at is null and superseded_by is null;

CREATE UNIQUE INDEX memories_key ON memories (space_id,key,workspace_id) WHERE key <> '' and deleted_at is null and superseded_by is null;

CREATE INDEX memories_space ON memories (space_id) WHERE deleted_at is null;

CREATE INDEX memories_pending ON memories (space_id) WHERE status = 'pending' and deleted_at is null;

CREATE INDEX memories_review ON memories (tenant_id) WHERE status = 'pending' and deleted_at is null;

CREATE INDEX memories_expiring ON memories (tenant_id,expires_at) WHERE expires_at is not null and deleted_at is null;

CREATE INDEX memories_contradicting ON memories (contradicts) WHERE contradicts is not null;

CREATE INDEX memories_deleted ON memories (deleted_at) WHERE deleted_at is not null;

CREATE TABLE memory_subjects (
  memory_id integer NOT NULL,
  person_id integer NOT NULL,
  PRIMARY KEY(memory_id, person_id)
) WITHOUT ROWID;

CREATE INDEX memory_subjects_person ON memory_subjects (person_id,memory_id);

CREATE TABLE memory_versions (
  memory_id integer NOT NULL,
  version integer NOT NULL,
  data text NOT NULL CHECK (json_valid(data) AND json_type(data) = 'object'),
  replaced_at integer NOT NULL,
  PRIMARY KEY(memory_id, version)
) WITHOUT ROWID;

CREATE TABLE upkeep (
  tenant_id integer NOT NULL,
  task text NOT NULL,
  cursor text NOT NULL,
  ran_at integer NOT NULL,
  PRIMARY KEY(tenant_id, task)
) WITHOUT ROWID;

CREATE TABLE person_merge_edges (
  merge_id integer NOT NULL,
  memory_id integer NOT NULL,
  edge text NOT NULL,
  PRIMARY KEY(merge_id, memory_id, edge)
) WITHOUT ROWID;

CREATE TABLE person_merges (
  id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  public_id text NOT NULL,
  tenant_id integer NOT NULL,
  from_id integer NOT NULL,
  into_id integer NOT NULL,
  added_names text NOT NULL CHECK (json_valid(added_names) AND json_type(added_names) = 'array'),
  merged_by integer NOT NULL,
  merged_at integer NOT NULL,
  undone_at integer
);

CREATE UNIQUE INDEX person_merges_public_id ON person_merges (public_id);

CREATE UNIQUE INDEX person_merges_open ON person_merges (from_id) WHERE undone_at is null;

CREATE TABLE person_names (
  tenant_id integer NOT NULL,
  name_key text NOT NULL,
  person_id integer NOT NULL,
  PRIMARY KEY(tenant_id, name_key, person_id)
) WITHOUT ROWID;

CREATE TABLE persons (
  id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  public_id text NOT NULL,
  tenant_id integer NOT NULL,
  user_id integer,
  name text NOT NULL,
  aliases text NOT NULL CHECK (json_valid(aliases) AND json_type(aliases) = 'array'),
  relationship text,
  notes text,
  created_by integer NOT NULL,
  merged_into integer,
  version integer DEFAULT 1 NOT NULL,
  created_at integer NOT NULL,
  updated_at integer NOT NULL
);

CREATE UNIQUE INDEX persons_public_id ON persons (public_id);

CREATE UNIQUE INDEX persons_user ON persons (user_id) WHERE user_id is not null;

CREATE INDEX persons_made ON persons (created_by,public_id);

CREATE INDEX persons_merged ON persons (merged_into) WHERE merged_into is not null;

-- Every user has a person.
INSERT INTO persons (public_id, tenant_id, user_id, name, aliases, created_by, created_at, updated_at)
SELECT 'per_' || lower(printf('%s-%s-7%s-%s%s-%s', substr(printf('%012x', u.created_at), 1, 8), substr(printf('%012x', u.created_at), 9), substr(hex(randomblob(2)), 2), substr('89ab', 1 + abs(random()) % 4, 1), substr(hex(randomblob(2)), 2), hex(randomblob(6)))),
  u.tenant_id, u.id, coalesce(u.name, u.external_id), '[]', u.id, u.created_at, u.created_at
FROM users u;

INSERT INTO person_names (tenant_id, name_key, person_id)
SELECT u.tenant_id, lower(trim(u.external_id)), p.id FROM users u JOIN persons p ON p.user_id = u.id WHERE trim(u.external_id) <> '';

INSERT OR IGNORE INTO person_names (tenant_id, name_key, person_id)
SELECT u.tenant_id, lower(trim(u.name)), p.id FROM users u JOIN persons p ON p.user_id = u.id WHERE trim(u.name) <> '';

CREATE TABLE audit_seals (
  tenant_id integer NOT NULL,
  seq integer NOT NULL,
  hash text NOT NULL,
  sealed_at integer NOT NULL,
  PRIMARY KEY(tenant_id, seq)
) WITHOUT ROWID;

-- The audit gets its own order: seq counts what the database committed, where the time in an id is that of a request.
ALTER TABLE audit RENAME TO audit_by_id;

CREATE TABLE audit (
  tenant_id integer NOT NULL,
  seq integer NOT NULL,
  id text NOT NULL,
  at integer NOT NULL,
  actor_kind text NOT NULL,
  actor_id text NOT NULL,
  user_id integer,
  workspace_id text,
  action text NOT NULL,
  object_id text NOT NULL,
  detail text CHECK (json_valid(detail) AND json_type(detail) = 'object'),
  request_id text NOT NULL,
  salt text,
  content_hash text,
  erased_at integer,
  PRIMARY KEY(tenant_id, seq)
) WITHOUT ROWID;

INSERT INTO audit (tenant_id, seq, id, at, actor_kind, actor_id, user_id, action, object_id, detail, request_id, salt)
SELECT tenant_id, row_number() OVER (PARTITION BY tenant_id ORDER BY id), id, at, actor_kind, actor_id, user_id, action, object_id,
  detail, request_id, lower(hex(randomblob(16)))
FROM audit_by_id;

-- safe: the statement before copied every row; no other table refers to this one.
DROP TABLE audit_by_id;
