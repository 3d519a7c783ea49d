CREATE TABLE `list_messages` (
	`session_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`said_at` integer NOT NULL,
	`episode_id` integer NOT NULL,
	`ordinal` integer NOT NULL,
	`tenant_id` integer NOT NULL,
	PRIMARY KEY(`session_id`, `user_id`, `said_at`, `episode_id`, `ordinal`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `list_messages_latest` ON `list_messages` (`user_id`,`said_at`,`episode_id`,`ordinal`);
