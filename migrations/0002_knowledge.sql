CREATE TABLE facts (
  user_id integer NOT NULL,
  topic text NOT NULL,
  session_id integer NOT NULL,
  project_id integer NOT NULL,
  kind text NOT NULL,
  rank integer NOT NULL,
  tenant_id integer NOT NULL,
  value text,
  source_message_id text,
  episode_id integer,
  created_at integer NOT NULL,
  stored_at integer NOT NULL,
  PRIMARY KEY(user_id, topic, session_id, project_id, kind, rank),
  CHECK (CASE kind WHEN 'ranked' THEN rank >= 1 WHEN 'single' THEN rank = 0 ELSE 0 END),
  CHECK (session_id = 0 OR project_id = 0)
) WITHOUT ROWID;

CREATE TABLE session_topics (
  session_id integer NOT NULL,
  user_id integer NOT NULL,
  topic text NOT NULL,
  at integer NOT NULL,
  PRIMARY KEY(session_id, user_id)
) WITHOUT ROWID;

CREATE TABLE topics (
  tenant_id integer NOT NULL,
  key text NOT NULL,
  nouns text NOT NULL CHECK (json_valid(nouns) AND json_type(nouns) = 'array'),
  created_at integer NOT NULL,
  updated_at integer NOT NULL,
  PRIMARY KEY(tenant_id, key)
) WITHOUT ROWID;

CREATE TABLE topic_nouns (
  tenant_id integer NOT NULL,
  noun text NOT NULL,
  topic text NOT NULL,
  PRIMARY KEY(tenant_id, noun)
) WITHOUT ROWID;

CREATE INDEX topic_nouns_topic ON topic_nouns (tenant_id,topic);

CREATE TABLE entities (
  id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  public_id text NOT NULL,
  tenant_id integer NOT NULL,
  project_id integer NOT NULL,
  space_id integer NOT NULL,
  type text NOT NULL,
  name text NOT NULL,
  name_key text NOT NULL,
  notes text,
  mention_count integer DEFAULT 0 NOT NULL,
  first_seen_at integer NOT NULL,
  last_seen_at integer NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  vector_model text,
  created_at integer NOT NULL,
  updated_at integer NOT NULL
);

CREATE UNIQUE INDEX entities_public_id ON entities (public_id);

CREATE UNIQUE INDEX entities_name ON entities (project_id,type,name_key);

CREATE INDEX entities_project ON entities (project_id,last_seen_at);

CREATE INDEX entities_type ON entities (project_id,type,last_seen_at);

CREATE TABLE entity_mentions (
  entity_id integer NOT NULL,
  episode_id integer NOT NULL,
  at integer NOT NULL,
  PRIMARY KEY(entity_id, episode_id)
) WITHOUT ROWID;

CREATE INDEX entity_mentions_at ON entity_mentions (entity_id,at);

CREATE INDEX entity_mentions_episode ON entity_mentions (episode_id);

-- Text search over entities, as memory_fts does it for memories. A row's id is the entity's; "space" holds the token of its project's.
CREATE VIRTUAL TABLE entity_fts USING fts5 (
  space,
  text,
  content = '',
  contentless_delete = 1,
  detail = 'column',
  tokenize = 'ascii'
);

CREATE TABLE usage (
  tenant_id integer NOT NULL,
  day integer NOT NULL,
  contexts integer DEFAULT 0 NOT NULL,
  contexts_with_items integer DEFAULT 0 NOT NULL,
  tokens_injected integer DEFAULT 0 NOT NULL,
  answers integer DEFAULT 0 NOT NULL,
  answers_found integer DEFAULT 0 NOT NULL,
  completions integer DEFAULT 0 NOT NULL,
  extraction_calls integer DEFAULT 0 NOT NULL,
  extraction_input_tokens integer DEFAULT 0 NOT NULL,
  extraction_output_tokens integer DEFAULT 0 NOT NULL,
  memories_extracted integer DEFAULT 0 NOT NULL,
  PRIMARY KEY(tenant_id, day)
) WITHOUT ROWID;

ALTER TABLE jobs ADD result text CHECK (json_valid(result) AND json_type(result) = 'object');

ALTER TABLE episodes ADD extracted text;
