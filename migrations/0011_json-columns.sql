-- A JSON column holds what the code that reads it expects: an object, or an array of texts or of objects. One row of another form would
-- stop every statement that reads the column in many rows. Empty answers were stored as an empty text.
UPDATE idempotency SET response_body = '{}' WHERE response_body = '';--> statement-breakpoint
CREATE TRIGGER audit_json_insert BEFORE INSERT ON audit WHEN json_valid(new.detail) = 0 OR json_type(new.detail) <> 'object'
BEGIN SELECT raise(ABORT, 'audit: a JSON column must hold what its readers expect'); END;--> statement-breakpoint
CREATE TRIGGER audit_json_update BEFORE UPDATE OF detail ON audit WHEN json_valid(new.detail) = 0 OR json_type(new.detail) <> 'object'
BEGIN SELECT raise(ABORT, 'audit: a JSON column must hold what its readers expect'); END;--> statement-breakpoint
CREATE TRIGGER chunks_json_insert BEFORE INSERT ON chunks WHEN json_valid(new.headings) = 0 OR json_type(new.headings) <> 'array'
  OR EXISTS (SELECT 1 FROM json_each(new.headings) e WHERE e.type <> 'text')
BEGIN SELECT raise(ABORT, 'chunks: a JSON column must hold what its readers expect'); END;--> statement-breakpoint
CREATE TRIGGER chunks_json_update BEFORE UPDATE OF headings ON chunks WHEN json_valid(new.headings) = 0 OR json_type(new.headings) <> 'array'
  OR EXISTS (SELECT 1 FROM json_each(new.headings) e WHERE e.type <> 'text')
BEGIN SELECT raise(ABORT, 'chunks: a JSON column must hold what its readers expect'); END;--> statement-breakpoint
CREATE TRIGGER episodes_json_insert BEFORE INSERT ON episodes WHEN json_valid(new.messages) = 0 OR json_type(new.messages) <> 'array'
  OR EXISTS (SELECT 1 FROM json_each(new.messages) e WHERE e.type <> 'object' OR json_type(e.value, '$.text') IS NOT 'text')
  OR json_valid(new.chunks) = 0 OR json_type(new.chunks) <> 'array'
  OR EXISTS (SELECT 1 FROM json_each(new.chunks) e WHERE e.type <> 'object')
BEGIN SELECT raise(ABORT, 'episodes: a JSON column must hold what its readers expect'); END;--> statement-breakpoint
CREATE TRIGGER episodes_json_update BEFORE UPDATE OF messages, chunks ON episodes WHEN json_valid(new.messages) = 0 OR json_type(new.messages) <> 'array'
  OR EXISTS (SELECT 1 FROM json_each(new.messages) e WHERE e.type <> 'object' OR json_type(e.value, '$.text') IS NOT 'text')
  OR json_valid(new.chunks) = 0 OR json_type(new.chunks) <> 'array'
  OR EXISTS (SELECT 1 FROM json_each(new.chunks) e WHERE e.type <> 'object')
BEGIN SELECT raise(ABORT, 'episodes: a JSON column must hold what its readers expect'); END;--> statement-breakpoint
CREATE TRIGGER erasures_json_insert BEFORE INSERT ON erasures WHEN json_valid(new.progress) = 0 OR json_type(new.progress) <> 'object'
BEGIN SELECT raise(ABORT, 'erasures: a JSON column must hold what its readers expect'); END;--> statement-breakpoint
CREATE TRIGGER erasures_json_update BEFORE UPDATE OF progress ON erasures WHEN json_valid(new.progress) = 0 OR json_type(new.progress) <> 'object'
BEGIN SELECT raise(ABORT, 'erasures: a JSON column must hold what its readers expect'); END;--> statement-breakpoint
CREATE TRIGGER forgettings_json_insert BEFORE INSERT ON forgettings WHEN json_valid(new.originals) = 0 OR json_type(new.originals) <> 'object'
BEGIN SELECT raise(ABORT, 'forgettings: a JSON column must hold what its readers expect'); END;--> statement-breakpoint
CREATE TRIGGER forgettings_json_update BEFORE UPDATE OF originals ON forgettings WHEN json_valid(new.originals) = 0 OR json_type(new.originals) <> 'object'
BEGIN SELECT raise(ABORT, 'forgettings: a JSON column must hold what its readers expect'); END;--> statement-breakpoint
CREATE TRIGGER idempotency_json_insert BEFORE INSERT ON idempotency WHEN json_valid(new.response_body) = 0 OR json_type(new.response_body) <> 'object'
BEGIN SELECT raise(ABORT, 'idempotency: a JSON column must hold what its readers expect'); END;--> statement-breakpoint
CREATE TRIGGER idempotency_json_update BEFORE UPDATE OF response_body ON idempotency WHEN json_valid(new.response_body) = 0 OR json_type(new.response_body) <> 'object'
BEGIN SELECT raise(ABORT, 'idempotency: a JSON column must hold what its readers expect'); END;--> statement-breakpoint
CREATE TRIGGER imports_json_insert BEFORE INSERT ON imports WHEN json_valid(new.statistics) = 0 OR json_type(new.statistics) <> 'object'
  OR json_valid(new.problems) = 0 OR json_type(new.problems) <> 'array'
  OR EXISTS (SELECT 1 FROM json_each(new.problems) e WHERE e.type <> 'object')
BEGIN SELECT raise(ABORT, 'imports: a JSON column must hold what its readers expect'); END;--> statement-breakpoint
CREATE TRIGGER imports_json_update BEFORE UPDATE OF statistics, problems ON imports WHEN json_valid(new.statistics) = 0 OR json_type(new.statistics) <> 'object'
  OR json_valid(new.problems) = 0 OR json_type(new.problems) <> 'array'
  OR EXISTS (SELECT 1 FROM json_each(new.problems) e WHERE e.type <> 'object')
BEGIN SELECT raise(ABORT, 'imports: a JSON column must hold what its readers expect'); END;--> statement-breakpoint
CREATE TRIGGER jobs_json_insert BEFORE INSERT ON jobs WHEN json_valid(new.payload) = 0 OR json_type(new.payload) <> 'object'
  OR json_valid(new.result) = 0 OR json_type(new.result) <> 'object'
BEGIN SELECT raise(ABORT, 'jobs: a JSON column must hold what its readers expect'); END;--> statement-breakpoint
CREATE TRIGGER jobs_json_update BEFORE UPDATE OF payload, result ON jobs WHEN json_valid(new.payload) = 0 OR json_type(new.payload) <> 'object'
  OR json_valid(new.result) = 0 OR json_type(new.result) <> 'object'
BEGIN SELECT raise(ABORT, 'jobs: a JSON column must hold what its readers expect'); END;--> statement-breakpoint
CREATE TRIGGER keys_json_insert BEFORE INSERT ON keys WHEN json_valid(new.permissions) = 0 OR json_type(new.permissions) <> 'array'
  OR EXISTS (SELECT 1 FROM json_each(new.permissions) e WHERE e.type <> 'text')
BEGIN SELECT raise(ABORT, 'keys: a JSON column must hold what its readers expect'); END;--> statement-breakpoint
CREATE TRIGGER keys_json_update BEFORE UPDATE OF permissions ON keys WHEN json_valid(new.permissions) = 0 OR json_type(new.permissions) <> 'array'
  OR EXISTS (SELECT 1 FROM json_each(new.permissions) e WHERE e.type <> 'text')
BEGIN SELECT raise(ABORT, 'keys: a JSON column must hold what its readers expect'); END;--> statement-breakpoint
CREATE TRIGGER memories_json_insert BEFORE INSERT ON memories WHEN json_valid(new.metadata) = 0 OR json_type(new.metadata) <> 'object'
BEGIN SELECT raise(ABORT, 'memories: a JSON column must hold what its readers expect'); END;--> statement-breakpoint
CREATE TRIGGER memories_json_update BEFORE UPDATE OF metadata ON memories WHEN json_valid(new.metadata) = 0 OR json_type(new.metadata) <> 'object'
BEGIN SELECT raise(ABORT, 'memories: a JSON column must hold what its readers expect'); END;--> statement-breakpoint
CREATE TRIGGER memory_versions_json_insert BEFORE INSERT ON memory_versions WHEN json_valid(new.data) = 0 OR json_type(new.data) <> 'object'
BEGIN SELECT raise(ABORT, 'memory_versions: a JSON column must hold what its readers expect'); END;--> statement-breakpoint
CREATE TRIGGER memory_versions_json_update BEFORE UPDATE OF data ON memory_versions WHEN json_valid(new.data) = 0 OR json_type(new.data) <> 'object'
BEGIN SELECT raise(ABORT, 'memory_versions: a JSON column must hold what its readers expect'); END;--> statement-breakpoint
CREATE TRIGGER person_merges_json_insert BEFORE INSERT ON person_merges WHEN json_valid(new.added_names) = 0 OR json_type(new.added_names) <> 'array'
  OR EXISTS (SELECT 1 FROM json_each(new.added_names) e WHERE e.type <> 'text')
BEGIN SELECT raise(ABORT, 'person_merges: a JSON column must hold what its readers expect'); END;--> statement-breakpoint
CREATE TRIGGER person_merges_json_update BEFORE UPDATE OF added_names ON person_merges WHEN json_valid(new.added_names) = 0 OR json_type(new.added_names) <> 'array'
  OR EXISTS (SELECT 1 FROM json_each(new.added_names) e WHERE e.type <> 'text')
BEGIN SELECT raise(ABORT, 'person_merges: a JSON column must hold what its readers expect'); END;--> statement-breakpoint
CREATE TRIGGER persons_json_insert BEFORE INSERT ON persons WHEN json_valid(new.aliases) = 0 OR json_type(new.aliases) <> 'array'
  OR EXISTS (SELECT 1 FROM json_each(new.aliases) e WHERE e.type <> 'text')
BEGIN SELECT raise(ABORT, 'persons: a JSON column must hold what its readers expect'); END;--> statement-breakpoint
CREATE TRIGGER persons_json_update BEFORE UPDATE OF aliases ON persons WHEN json_valid(new.aliases) = 0 OR json_type(new.aliases) <> 'array'
  OR EXISTS (SELECT 1 FROM json_each(new.aliases) e WHERE e.type <> 'text')
BEGIN SELECT raise(ABORT, 'persons: a JSON column must hold what its readers expect'); END;--> statement-breakpoint
CREATE TRIGGER settings_json_insert BEFORE INSERT ON settings WHEN json_valid(new.data) = 0 OR json_type(new.data) <> 'object'
BEGIN SELECT raise(ABORT, 'settings: a JSON column must hold what its readers expect'); END;--> statement-breakpoint
CREATE TRIGGER settings_json_update BEFORE UPDATE OF data ON settings WHEN json_valid(new.data) = 0 OR json_type(new.data) <> 'object'
BEGIN SELECT raise(ABORT, 'settings: a JSON column must hold what its readers expect'); END;--> statement-breakpoint
CREATE TRIGGER topics_json_insert BEFORE INSERT ON topics WHEN json_valid(new.nouns) = 0 OR json_type(new.nouns) <> 'array'
  OR EXISTS (SELECT 1 FROM json_each(new.nouns) e WHERE e.type <> 'object')
BEGIN SELECT raise(ABORT, 'topics: a JSON column must hold what its readers expect'); END;--> statement-breakpoint
CREATE TRIGGER topics_json_update BEFORE UPDATE OF nouns ON topics WHEN json_valid(new.nouns) = 0 OR json_type(new.nouns) <> 'array'
  OR EXISTS (SELECT 1 FROM json_each(new.nouns) e WHERE e.type <> 'object')
BEGIN SELECT raise(ABORT, 'topics: a JSON column must hold what its readers expect'); END;
