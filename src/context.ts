import type { BoundedCache } from "#core/bounded-cache";
import type { IdKind } from "#core/ids";
import type { Permission } from "#core/permission";
import type { SecretBox } from "#core/secret-box";
import type { Strangers } from "#core/strangers";
import type { Db } from "#db/client";
import type { ChatModel } from "#ports/chat-model";
import type { Embedder } from "#ports/embedder";
import type { FileStore } from "#ports/file-store";
import type { Identity, TrustedIssuer } from "#ports/identity";
import type { JobQueue } from "#ports/jobs";
import type { ToMarkdown } from "#ports/to-markdown";
import type { Upstream } from "#ports/upstream";
import type { VectorIndex } from "#ports/vector-index";

/** Who does it. */
export type Actor =
  | {
      kind: "key";
      id: string;
      keyId: number;
      /** The one user for whom it may act, by the app's id; null for a server key, which acts for the user that a request names. */
      boundUser: string | null;
      permissions: readonly Permission[];
    }
  | {
      kind: "token";
      /** Of the token itself, as the audit log shows it. */
      id: string;
      /** The token's user, by the app's id: it acts for nobody else. */
      boundUser: string;
      /** Never `admin`. */
      permissions: readonly Permission[];
      /** The only sessions in which it may act, by the app's ids; null for any of the user's. */
      sessions: readonly string[] | null;
    }
  | { kind: "job"; id: string }
  | { kind: "system"; id: string };

/**
 * A request that carries an `Idempotency-Key`; `commit` marks it done in the mutation's own batch. `keyId` is 0 for a user token, whose
 * `key` begins with the user: a refreshed token repeats safely, and no two users share a key.
 */
export type IdempotentRequest = { keyId: number; key: string };

export type Caller = {
  tenantId: number;
  actor: Actor;
  requestId: string;
  idempotent: IdempotentRequest | null;
  /** Set if the call came over MCP: the audit then names `mcp` as the kind of its actor. */
  via?: "mcp";
};

/** A key's row, or a token whose signature was verified, as it was when it was read. */
export type Credential = {
  tenantId: number;
  actor: Extract<Actor, { kind: "key" | "token" }>;
  expiresAt: number | null;
  revokedAt: number | null;
};

/** What a tenant may set; see docs/settings.md. `version` counts the changes. */
export type Settings = {
  allowedOrigins: string[];
  maxTokens: number;
  retentionDays: number;
  expireEpisodes: boolean;
  summarizeAfterTokens: number | null;
  strategy: "recent" | "semantic" | "hybrid";
  maxEntries: number | null;
  autoGc: boolean;
  piiReview: boolean;
  legacyDisclosure: boolean;
  enabled: boolean;
  extraction: "auto" | "rules" | "model" | "off";
  instructions: string;
  extractionThreshold: number;
  skillsEnabled: boolean;
  identityProvider: IdentityProviderSettings | null;
  upstream: UpstreamSettings | null;
  models: ModelSettings;
  placement: Placement;
  version: number;
};

/** Where the proxy puts memory: into the client's instructions, or before the text of the latest user message. */
export type Placement = "system" | "latest";

/** Whose tokens the tenant accepts beside its own, and which of their claims is the user's id. */
export type IdentityProviderSettings = TrustedIssuer & { userClaim: string };

/** The tenant's own model server. `apiKey` is sealed (see `SecretBox`) for the tenant, and never shown. */
export type UpstreamSettings = {
  url: string;
  apiKey: string | null;
  /** Names that clients use, and the upstream's names for them. */
  models: Record<string, string>;
};

export type ModelSettings = { withoutSystemRole: string[] };

/** A topic of a tenant, with its nouns as they were given. */
export type TenantTopic = { key: string; nouns: { noun: string; language: string | null }[] };

/** Logs one event; never what people said. */
export type Log = (event: string, facts: Record<string, unknown>) => void;

/** Of a token whose signature is right. `long`: it lives longer than an identity provider's token may. */
export type VerifiedRefusal = "expired" | "revoked" | "long";

/** Lives as long as the isolate. Its keys contain the tenant, except where data is common to all tenants. */
export type Caches = {
  credentials: BoundedCache<Credential>;
  /** Why a token that was verified is refused for good, by the token's hash. */
  refusals: BoundedCache<VerifiedRefusal>;
  strangers: Strangers;
  /** The credential behind an access token of OAuth, by a hash of the token and its audience. */
  grants: BoundedCache<string>;
  /** Whether a tenant, or any tenant, allows a browser origin. */
  origins: BoundedCache<boolean>;
  queryEmbeddings: BoundedCache<Float32Array>;
  /** By tenant. */
  settings: BoundedCache<Settings>;
  /** By tenant: its own topics. */
  topics: BoundedCache<readonly TenantTopic[]>;
  /** Profiles in sentences, by tenant and a hash of their memories. */
  profiles: BoundedCache<string>;
};

export type Services = {
  db: Db;
  /** Unix milliseconds. */
  now: () => number;
  newId: (kind: IdKind) => string;
  wait: (milliseconds: number) => Promise<void>;
  /** From 0 to 1, 1 excluded; for jitter, never for secrets. */
  random: () => number;
  embedder: Embedder;
  vectors: VectorIndex;
  files: FileStore;
  /** Null if no model is configured: then only rules extract knowledge. */
  chatModel: ChatModel | null;
  /** Null unless TO_MARKDOWN names one: then only the kinds of files are read that the readers know. */
  toMarkdown: ToMarkdown | null;
  upstream: Upstream;
  identity: Identity;
  /** Null if no ENCRYPTION_KEY is set: then no secret can be stored. */
  secretBox: SecretBox | null;
  jobs: JobQueue;
  caches: Caches;
  /** For how long, in milliseconds, another isolate may accept a key or a token after it was revoked. */
  trustMs: number;
  /** Runs after the response. Only for work that the sweep can repeat. */
  defer: (work: () => Promise<void>) => void;
  log: Log;
};

export type Ctx<K extends keyof Services = never> = Caller & Pick<Services, K>;
