CREATE TABLE jobs (
  tenant_id integer NOT NULL,
  id text NOT NULL,
  kind text NOT NULL,
  payload text NOT NULL CHECK (json_valid(payload) AND json_type(payload) = 'object'),
  status text NOT NULL CHECK (status IN ('pending', 'running', 'done', 'failed')),
  attempts integer DEFAULT 0 NOT NULL,
  due_at integer NOT NULL,
  lease_token text,
  error text,
  created_at integer NOT NULL,
  finished_at integer,
  PRIMARY KEY(tenant_id, id)
) WITHOUT ROWID;

CREATE INDEX jobs_open ON jobs (tenant_id,due_at,id) WHERE status in ('pending', 'running');

CREATE INDEX jobs_failed ON jobs (tenant_id,id) WHERE status = 'failed';

CREATE INDEX jobs_finished ON jobs (finished_at) WHERE status = 'done';

CREATE TABLE vector_models (
  model text PRIMARY KEY NOT NULL,
  dimensions integer NOT NULL,
  adopted_at integer NOT NULL
);

CREATE TABLE episodes (
  id integer PRIMARY KEY NOT NULL,
  public_id text NOT NULL,
  tenant_id integer NOT NULL,
  session_id integer NOT NULL,
  messages text NOT NULL CHECK (json_valid(messages) AND json_type(messages) = 'array'),
  chunks text NOT NULL CHECK (json_valid(chunks) AND json_type(chunks) = 'array'),
  chunk_count integer NOT NULL,
  first_at integer NOT NULL,
  occurred_at integer NOT NULL,
  created_at integer NOT NULL,
  vector_model text
);

CREATE UNIQUE INDEX episodes_public_id ON episodes (public_id);

CREATE TABLE message_keys (
  session_id integer NOT NULL,
  message_id text NOT NULL,
  episode_id integer NOT NULL,
  ordinal integer NOT NULL,
  PRIMARY KEY(session_id, message_id)
) WITHOUT ROWID;

CREATE TABLE participants (
  session_id integer NOT NULL,
  user_id integer NOT NULL,
  session_public_id text NOT NULL,
  joined_at integer NOT NULL,
  left_at integer,
  PRIMARY KEY(session_id, user_id, joined_at)
) WITHOUT ROWID;

CREATE UNIQUE INDEX participants_current ON participants (user_id,session_id) WHERE left_at is null;

CREATE INDEX participants_made ON participants (user_id,session_public_id) WHERE left_at is null;

CREATE TABLE project_members (
  project_id integer NOT NULL,
  user_id integer NOT NULL,
  project_public_id text NOT NULL,
  added_at integer NOT NULL,
  PRIMARY KEY(project_id, user_id)
) WITHOUT ROWID;

CREATE INDEX project_members_made ON project_members (user_id,project_public_id);

CREATE TABLE projects (
  id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  public_id text NOT NULL,
  tenant_id integer NOT NULL,
  external_id text NOT NULL,
  owner_id integer NOT NULL,
  space_id integer NOT NULL,
  name text NOT NULL,
  created_at integer NOT NULL
);

CREATE UNIQUE INDEX projects_external_id ON projects (tenant_id,external_id);

CREATE INDEX projects_owner ON projects (owner_id,public_id);

CREATE TABLE sessions (
  id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  public_id text NOT NULL,
  tenant_id integer NOT NULL,
  external_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('private', 'group')),
  owner_id integer NOT NULL,
  space_id integer NOT NULL,
  project_id integer,
  title text,
  next_seq integer DEFAULT 0 NOT NULL,
  last_at integer,
  in_order integer DEFAULT 1 NOT NULL,
  tagged_project_id integer DEFAULT 0 NOT NULL,
  created_at integer NOT NULL
);

CREATE UNIQUE INDEX sessions_external_id ON sessions (tenant_id,external_id);

CREATE INDEX sessions_space_last ON sessions (space_id,last_at);

CREATE INDEX sessions_space_made ON sessions (space_id,public_id);

CREATE INDEX sessions_project_made ON sessions (project_id,public_id) WHERE project_id is not null;

CREATE INDEX sessions_project_space ON sessions (project_id,space_id) WHERE project_id is not null;

CREATE INDEX sessions_moved ON sessions (space_id) WHERE tagged_project_id <> coalesce(project_id, 0);

CREATE INDEX sessions_tenant ON sessions (tenant_id,id);

CREATE TABLE allowed_origins (
  origin text NOT NULL,
  tenant_id integer NOT NULL,
  PRIMARY KEY(origin, tenant_id)
) WITHOUT ROWID;

CREATE TABLE audit (
  tenant_id integer NOT NULL,
  id text NOT NULL,
  at integer NOT NULL,
  actor_kind text NOT NULL,
  actor_id text NOT NULL,
  user_id integer,
  action text NOT NULL,
  object_id text NOT NULL,
  detail text NOT NULL CHECK (json_valid(detail) AND json_type(detail) = 'object'),
  request_id text NOT NULL,
  PRIMARY KEY(tenant_id, id)
) WITHOUT ROWID;

CREATE TABLE idempotency (
  tenant_id integer NOT NULL,
  key_id integer NOT NULL,
  key text NOT NULL,
  fingerprint text NOT NULL,
  committed_at integer,
  response_status integer,
  response_body text CHECK (json_valid(response_body) AND json_type(response_body) = 'object'),
  locked_until integer NOT NULL,
  created_at integer NOT NULL,
  PRIMARY KEY(tenant_id, key_id, key)
) WITHOUT ROWID;

CREATE INDEX idempotency_created ON idempotency (created_at);

CREATE TABLE keys (
  id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  public_id text NOT NULL,
  tenant_id integer NOT NULL,
  hash text NOT NULL,
  prefix text NOT NULL,
  name text NOT NULL,
  permissions text NOT NULL CHECK (json_valid(permissions) AND json_type(permissions) = 'array'),
  default_user_id integer NOT NULL,
  expires_at integer,
  revoked_at integer,
  created_at integer NOT NULL
);

CREATE UNIQUE INDEX keys_hash ON keys (hash);

CREATE UNIQUE INDEX keys_public_id ON keys (tenant_id,public_id);

CREATE TABLE settings (
  tenant_id integer PRIMARY KEY NOT NULL,
  version integer NOT NULL,
  data text NOT NULL CHECK (json_valid(data) AND json_type(data) = 'object'),
  updated_at integer NOT NULL
);

CREATE TABLE spaces (
  id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  public_id text NOT NULL,
  tenant_id integer NOT NULL,
  kind text NOT NULL
);

CREATE UNIQUE INDEX spaces_public_id ON spaces (public_id);

CREATE TABLE tenants (
  id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  public_id text NOT NULL,
  name text NOT NULL,
  created_at integer NOT NULL
);

CREATE UNIQUE INDEX tenants_public_id ON tenants (public_id);

CREATE TABLE users (
  id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  public_id text NOT NULL,
  tenant_id integer NOT NULL,
  external_id text NOT NULL,
  space_id integer NOT NULL,
  name text,
  created_at integer NOT NULL
);

CREATE UNIQUE INDEX users_external_id ON users (tenant_id,external_id);
-- Text search over episodes. A row is a chunk and its rowid the chunk's id (see db/schema/sessions.ts).
-- "space" holds the token of the row's space, "text" the analysed words; both are made by the Worker,
-- so the tokenizer has only to split at blanks: "ascii" takes every code point from 128 up as part of a token.
CREATE VIRTUAL TABLE message_fts USING fts5 (
  space,
  text,
  content = '',
  contentless_delete = 1,
  detail = 'column',
  tokenize = 'ascii'
);
