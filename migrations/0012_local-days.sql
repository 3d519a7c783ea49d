ALTER TABLE `memories` ADD `valid_offset` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `time_zone` text;