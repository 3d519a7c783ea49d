ALTER TABLE `users` ADD `app_name` text;--> statement-breakpoint
-- Who gave a name is not known of older rows: they count as given by the app.
UPDATE users SET app_name = name WHERE name IS NOT NULL;
