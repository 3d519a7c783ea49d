CREATE TABLE `chunks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`public_id` text NOT NULL,
	`tenant_id` integer NOT NULL,
	`source_id` integer NOT NULL,
	`space_id` integer NOT NULL,
	`file_id` integer NOT NULL,
	`revision` integer NOT NULL,
	`ordinal` integer NOT NULL,
	`text` text NOT NULL,
	`start_at` integer NOT NULL,
	`end_at` integer NOT NULL,
	`page` integer,
	`headings` text NOT NULL CHECK (json_valid(headings) AND json_type(headings) = 'array'),
	`vector_model` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `chunks_public_id` ON `chunks` (`public_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `chunks_file` ON `chunks` (`file_id`,`revision`,`ordinal`);--> statement-breakpoint
CREATE INDEX `chunks_source` ON `chunks` (`source_id`,`id`);--> statement-breakpoint
CREATE TABLE `files` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`public_id` text NOT NULL,
	`tenant_id` integer NOT NULL,
	`source_id` integer NOT NULL,
	`path` text NOT NULL,
	`media_type` text NOT NULL,
	`bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`title` text,
	`status` text NOT NULL,
	`error` text,
	`revision` integer NOT NULL,
	`read_revision` integer NOT NULL,
	`pages` integer,
	`characters` integer,
	`chunk_count` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `files_public_id` ON `files` (`public_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `files_path` ON `files` (`source_id`,`path`);--> statement-breakpoint
CREATE TABLE `sources` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`public_id` text NOT NULL,
	`tenant_id` integer NOT NULL,
	`external_id` text NOT NULL,
	`project_id` integer,
	`space_id` integer NOT NULL,
	`name` text NOT NULL,
	`created_by` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sources_public_id` ON `sources` (`public_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `sources_external_id` ON `sources` (`tenant_id`,`external_id`);--> statement-breakpoint
CREATE INDEX `sources_space` ON `sources` (`space_id`,`id`);--> statement-breakpoint
CREATE TABLE `erasures` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`public_id` text NOT NULL,
	`tenant_id` integer NOT NULL,
	`kind` text NOT NULL,
	`subject_hash` text NOT NULL,
	`subject_id` integer,
	`about_others` text NOT NULL,
	`dry_run` integer NOT NULL,
	`basis` text,
	`request_ref` text,
	`requested_by` text NOT NULL,
	`status` text NOT NULL,
	`progress` text NOT NULL CHECK (json_valid(progress) AND json_type(progress) = 'object'),
	`receipt` text,
	`signature` text,
	`created_at` integer NOT NULL,
	`started_at` integer,
	`finished_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `erasures_public_id` ON `erasures` (`public_id`);--> statement-breakpoint
CREATE INDEX `erasures_tenant` ON `erasures` (`tenant_id`,`id`);--> statement-breakpoint
CREATE TABLE `imported_ids` (
	`import_id` integer NOT NULL,
	`table_name` text NOT NULL,
	`old_id` integer NOT NULL,
	`new_id` integer NOT NULL,
	PRIMARY KEY(`import_id`, `table_name`, `old_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `imports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`public_id` text NOT NULL,
	`tenant_id` integer NOT NULL,
	`user_id` integer,
	`platform` text NOT NULL,
	`file_name` text NOT NULL,
	`sha256` text NOT NULL,
	`project_id` integer,
	`extraction` text NOT NULL,
	`dry_run` integer NOT NULL,
	`status` text NOT NULL,
	`statistics` text NOT NULL CHECK (json_valid(statistics) AND json_type(statistics) = 'object'),
	`problems` text NOT NULL CHECK (json_valid(problems) AND json_type(problems) = 'array'),
	`created_at` integer NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `imports_public_id` ON `imports` (`public_id`);--> statement-breakpoint
CREATE INDEX `imports_tenant` ON `imports` (`tenant_id`,`id`);--> statement-breakpoint
CREATE TABLE `tombstones` (
	`tenant_id` integer NOT NULL,
	`subject_hash` text NOT NULL,
	`erasure_id` integer NOT NULL,
	`erased_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `subject_hash`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `tombstones_erasure` ON `tombstones` (`erasure_id`);--> statement-breakpoint
ALTER TABLE `episodes` ADD `summary_id` integer;--> statement-breakpoint
-- Text search over chunks of documents, as memory_fts does it for memories. A row's id is the chunk's; "space" holds the token of its space.
CREATE VIRTUAL TABLE chunk_fts USING fts5 (
  space,
  text,
  content = '',
  contentless_delete = 1,
  detail = 'column',
  tokenize = 'ascii'
);
