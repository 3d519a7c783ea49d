CREATE TABLE `identity_providers` (
	`issuer` text NOT NULL,
	`audience` text NOT NULL,
	`tenant_id` integer NOT NULL,
	PRIMARY KEY(`issuer`, `audience`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `identity_providers_tenant` ON `identity_providers` (`tenant_id`);--> statement-breakpoint
CREATE TABLE `token_secrets` (
	`tenant_id` integer NOT NULL,
	`number` integer NOT NULL,
	`sealed` text NOT NULL,
	`valid_until` integer,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `number`)
);
--> statement-breakpoint
ALTER TABLE `tenants` ADD `tokens_revoked_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `tokens_revoked_at` integer;