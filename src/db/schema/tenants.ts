import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Permission } from "#core/permission";
import { type Conversion, codec } from "#db/row";

export const tenants = sqliteTable(
  "tenants",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    publicId: text("public_id").notNull(),
    name: text("name").notNull(),
    createdAt: integer("created_at").notNull(),
    /** User tokens that were issued until then are refused, whoever issued them; null for none. */
    tokensRevokedAt: integer("tokens_revoked_at"),
  },
  (t) => [uniqueIndex("tenants_public_id").on(t.publicId)],
);

export const TENANT = codec(tenants);

/** The immutable owner of rows, and the unit by which every index is partitioned. */
export const spaces = sqliteTable(
  "spaces",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    publicId: text("public_id").notNull(),
    tenantId: integer("tenant_id").notNull(),
    kind: text("kind", { enum: ["user", "session", "project", "tenant"] }).notNull(),
  },
  (t) => [uniqueIndex("spaces_public_id").on(t.publicId)],
);

export const users = sqliteTable(
  "users",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    publicId: text("public_id").notNull(),
    tenantId: integer("tenant_id").notNull(),
    externalId: text("external_id").notNull(),
    spaceId: integer("space_id").notNull(),
    name: text("name"),
    /** The last name that a server key gave: users name themselves as they like, which proves nothing about who speaks. */
    appName: text("app_name"),
    /** By IANA's name; null where the app has not said it. */
    timeZone: text("time_zone"),
    createdAt: integer("created_at").notNull(),
    /** The user's tokens that were issued until then are refused; null for none. */
    tokensRevokedAt: integer("tokens_revoked_at"),
  },
  (t) => [uniqueIndex("users_external_id").on(t.tenantId, t.externalId)],
);

export const USER = codec(users);

export const keys = sqliteTable(
  "keys",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    publicId: text("public_id").notNull(),
    tenantId: integer("tenant_id").notNull(),
    /** SHA-256 of the whole key, in hex. The key itself is never stored. */
    hash: text("hash").notNull(),
    prefix: text("prefix").notNull(),
    name: text("name").notNull(),
    permissions: text("permissions", { mode: "json" }).$type<string[]>().notNull(),
    /** For a key from a release without bound keys: the user for requests that named nobody. Not used any more; 0 in newer rows. */
    defaultUserId: integer("default_user_id").notNull(),
    /** The one user for whom the key may act; null for a server key. */
    userId: integer("user_id"),
    expiresAt: integer("expires_at"),
    revokedAt: integer("revoked_at"),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [uniqueIndex("keys_hash").on(t.hash), uniqueIndex("keys_public_id").on(t.tenantId, t.publicId)],
);

/** Permissions that this release does not know are ignored. */
const asPermissions: Conversion<Permission[]> = {
  decode: (value) => {
    const stored: unknown[] = JSON.parse(String(value));
    return stored.filter((one) => one === "read" || one === "write" || one === "admin");
  },
  encode: (permissions) => JSON.stringify(permissions),
};

export const KEY = codec(keys, { permissions: asPermissions });

export const settings = sqliteTable("settings", {
  tenantId: integer("tenant_id").primaryKey(),
  version: integer("version").notNull(),
  /** Only values that differ from the defaults, which are code. */
  data: text("data", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
  updatedAt: integer("updated_at").notNull(),
});

export const SETTINGS = codec(settings);

/**
 * What a tenant's user tokens are signed with: at most two, numbered, of which the highest number signs and the one before it is still
 * accepted for a while.
 */
export const tokenSecrets = sqliteTable(
  "token_secrets",
  {
    tenantId: integer("tenant_id").notNull(),
    number: integer("number").notNull(),
    /** Sealed (see `SecretBox`) for the tenant. */
    sealed: text("sealed").notNull(),
    /** Until when its tokens are accepted; null for the one that signs. */
    validUntil: integer("valid_until"),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.number] })],
);

export const TOKEN_SECRET = codec(tokenSecrets);

/** Which tenant the tokens of an identity provider are for, from the tenant's settings. No two tenants have the same pair. */
export const identityProviders = sqliteTable(
  "identity_providers",
  {
    issuer: text("issuer").notNull(),
    audience: text("audience").notNull(),
    tenantId: integer("tenant_id").notNull(),
  },
  (t) => [primaryKey({ columns: [t.issuer, t.audience] }), uniqueIndex("identity_providers_tenant").on(t.tenantId)],
);

/** A preflight carries no credential, so whether any tenant allows an origin is looked up by the origin alone. */
export const allowedOrigins = sqliteTable(
  "allowed_origins",
  { origin: text("origin").notNull(), tenantId: integer("tenant_id").notNull() },
  (t) => [primaryKey({ columns: [t.origin, t.tenantId] })],
);

export const idempotency = sqliteTable(
  "idempotency",
  {
    tenantId: integer("tenant_id").notNull(),
    keyId: integer("key_id").notNull(),
    key: text("key").notNull(),
    /** SHA-256 of method, path and body: the same key with another request is refused. */
    fingerprint: text("fingerprint").notNull(),
    /** Set in the batch of the mutation itself, so that a lost answer is never mistaken for a lost write. */
    committedAt: integer("committed_at"),
    responseStatus: integer("response_status"),
    /** Ids, versions and outcomes of the answer, never content; without members for an empty answer. */
    responseBody: text("response_body", { mode: "json" }).$type<Record<string, unknown>>(),
    lockedUntil: integer("locked_until").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.keyId, t.key] }), index("idempotency_created").on(t.createdAt)],
);

export const audit = sqliteTable(
  "audit",
  {
    tenantId: integer("tenant_id").notNull(),
    /** 1, 2, 3, … without a gap within the tenant: the order in which the database committed. */
    seq: integer("seq").notNull(),
    id: text("id").notNull(),
    at: integer("at").notNull(),
    actorKind: text("actor_kind", { enum: ["key", "token", "mcp", "job", "system"] }).notNull(),
    actorId: text("actor_id").notNull(),
    userId: integer("user_id"),
    workspaceId: text("workspace_id"),
    action: text("action").notNull(),
    objectId: text("object_id").notNull(),
    /** Null once erased. */
    detail: text("detail", { mode: "json" }).$type<Record<string, unknown>>(),
    requestId: text("request_id").notNull(),
    /** Hex of 16 random bytes that are hashed with the content, so that it cannot be guessed from the hash; null once erased. */
    salt: text("salt"),
    /** The content's hash, kept after an erasure. */
    contentHash: text("content_hash"),
    erasedAt: integer("erased_at"),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.seq] })],
);

export const AUDIT = codec(audit);

/** The hash chain up to a row. Rows are sealed shortly after they are written, because SQLite has no hash function. */
export const auditSeals = sqliteTable(
  "audit_seals",
  {
    tenantId: integer("tenant_id").notNull(),
    seq: integer("seq").notNull(),
    hash: text("hash").notNull(),
    sealedAt: integer("sealed_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.seq] })],
);

export const IDEMPOTENCY = codec(idempotency);

export const AUDIT_SEAL = codec(auditSeals);
