CREATE TABLE `forgettings` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`public_id` text NOT NULL,
	`tenant_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`asked_by` text NOT NULL,
	`session_id` integer,
	`originals` text NOT NULL CHECK (json_valid(originals) AND json_type(originals) = 'object'),
	`forgotten_at` integer NOT NULL,
	`undone_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `forgettings_public_id` ON `forgettings` (`public_id`);--> statement-breakpoint
CREATE INDEX `forgettings_user` ON `forgettings` (`user_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `forgettings_asked` ON `forgettings` (`tenant_id`,`asked_by`) WHERE session_id is not null;--> statement-breakpoint
CREATE INDEX `forgettings_time` ON `forgettings` (`forgotten_at`);--> statement-breakpoint
ALTER TABLE `episodes` ADD `sent_by` integer;--> statement-breakpoint
ALTER TABLE `episodes` ADD `redactions` integer DEFAULT 0 NOT NULL;