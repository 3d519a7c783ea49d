ALTER TABLE `jobs` ADD `waiting_for` text;--> statement-breakpoint
ALTER TABLE `jobs` ADD `waiting_since` integer;--> statement-breakpoint
CREATE INDEX `jobs_waiting` ON `jobs` (`waiting_for`,`tenant_id`,`id`) WHERE waiting_for is not null;--> statement-breakpoint
ALTER TABLE `keys` ADD `user_id` integer;