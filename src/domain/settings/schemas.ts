import { z } from "zod";
import { asRule } from "#core/fields";
import { secretInName } from "#core/safety/name-secrets";
import { SIGNING_ALGORITHMS } from "#core/user-token";

const origin = z
  .string()
  .max(256)
  .overwrite((value) => value.replace(/(?<=[^/])\/$/, ""))
  .superRefine((value, context) => {
    if (!isOrigin(value)) context.addIssue({ code: "custom", input: value, ...asRule(originAdvice(value)) });
  })
  .describe("A browser origin such as https://app.example.com");

const MAX_MODELS = 100;
const modelName = z.string().min(1).max(200);

const upstreamUrl = z
  .string()
  .max(500)
  .refine(isBase, asRule("A base is http or https, a host and a path, without user, question mark or hash."))
  .describe("The base URL including the version, such as https://api.openai.com/v1");

const upstreamModels = z
  .record(modelName, modelName)
  .refine((models) => Object.keys(models).length <= MAX_MODELS, `${MAX_MODELS} names at most.`)
  .meta({ maxProperties: MAX_MODELS, propertyNames: { minLength: 1, maxLength: 200 } })
  .describe("Names that clients use, and the server's names for them");

/** The allowed values of each setting; the defaults are in `defaults.ts`. */
const values = {
  allowedOrigins: z.array(origin).max(50).describe("Browser origins whose pages may use user tokens of this tenant"),
  maxTokens: z
    .number()
    .int()
    .min(0)
    .max(16_000)
    .describe("Tokens of memory that a context may take unless the request says otherwise"),
  retentionDays: z.number().int().min(1).max(365).describe("Days after which memories that nobody kept are deleted"),
  expireEpisodes: z.boolean().describe("Whether retentionDays counts for episodes too"),
  summarizeAfterTokens: z
    .number()
    .int()
    .min(500)
    .max(200_000)
    .nullable()
    .describe("Tokens of a session beyond which upkeep summarizes its older episodes; null for never"),
  strategy: z.enum(["recent", "semantic", "hybrid"]).describe("How memories are chosen unless the request says otherwise"),
  maxEntries: z
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .nullable()
    .describe("Active memories that one space may hold; null for no cap"),
  autoGc: z.boolean().describe("Whether expiry, retention and the cap run automatically"),
  piiReview: z.boolean().describe("Whether memories that may hold personal data wait for approval"),
  legacyDisclosure: z.boolean().describe("Whether a memory about others without a recorded session may be disclosed in private"),
  enabled: z
    .boolean()
    .describe("Whether memory is injected into prompts and extracted from conversations; explicit reads and writes still work"),
  extraction: z
    .enum(["auto", "rules", "model", "off"])
    .describe(
      "What extracts knowledge from conversations: rules, and the service's chat model where one is configured (auto, and model, its older name); rules alone; or nothing",
    ),
  instructions: z
    .string()
    .trim()
    .max(2_000)
    .describe(
      "What extraction is to keep and what never, in plain words; a line such as `never keep prices` is enforced by its words",
    ),
  extractionThreshold: z.number().min(0).max(1).describe("Extracted knowledge with a lower confidence is not stored"),
  skillsEnabled: z.boolean().describe("Whether procedural memories are injected as instructions"),
  models: z
    .strictObject({
      withoutSystemRole: z.array(modelName).max(200).describe("Models that get memory in their first user message"),
    })
    .describe("What the proxy needs to know about models"),
  placement: z
    .enum(["system", "latest"])
    .describe(
      "Where the proxy puts memory: at the end of the client's instructions, or before the text of the latest user message, which keeps what is before it the same for prompt caches",
    ),
};

const UpstreamInput = z
  .strictObject({
    url: upstreamUrl,
    apiKey: z
      .string()
      .max(1000)
      .regex(/^[\x21-\x7e]+$/, "A key has visible ASCII characters only.")
      .nullish()
      .describe(
        "Stored encrypted and never shown. When absent, the stored key is kept as long as the url stays the same; null removes it",
      ),
    models: upstreamModels.optional(),
  })
  .describe("Replaces all values of the model server except its key");

const UpstreamView = z.object({ url: upstreamUrl, models: upstreamModels, hasKey: z.boolean() }).meta({
  id: "Upstream",
  description: "The tenant's model server, for /v1/chat/completions, /v1/responses, /v1/embeddings and /v1/models",
});

const issuer = z
  .string()
  .max(500)
  .refine(isAddress, asRule("An issuer is an http or https URL, exactly as the tokens name it."))
  .describe("The `iss` of the provider's tokens, exactly, with or without a slash at the end as they have it");
const audience = z.string().min(1).max(500).describe("The `aud` of the tokens that are for this tenant");
const jwksUrl = z
  .string()
  .max(500)
  .refine(isAddress, asRule("It is an http or https URL."))
  .describe("Where the provider publishes its public keys, on a host that the service's operator allows");
const algorithms = z
  .array(z.enum(SIGNING_ALGORITHMS))
  .min(1)
  .max(SIGNING_ALGORITHMS.length)
  .describe("What the provider signs with");
const userClaim = z.string().min(1).max(100).describe("The claim whose value is the user's id in the app");

const IdentityProviderInput = z
  .strictObject({ issuer, audience, jwksUrl, algorithms, userClaim: userClaim.default("sub") })
  .describe("Replaces all values of the identity provider");

const IdentityProviderView = z
  .object({ issuer, audience, jwksUrl, algorithms, userClaim })
  .meta({ id: "IdentityProvider", description: "Whose tokens the tenant accepts beside its own" });

export const SettingsChange = z
  .strictObject({
    allowedOrigins: values.allowedOrigins.nullish(),
    maxTokens: values.maxTokens.nullish(),
    retentionDays: values.retentionDays.nullish(),
    expireEpisodes: values.expireEpisodes.nullish(),
    summarizeAfterTokens: values.summarizeAfterTokens.optional(),
    strategy: values.strategy.nullish(),
    maxEntries: values.maxEntries.optional(),
    autoGc: values.autoGc.nullish(),
    piiReview: values.piiReview.nullish(),
    legacyDisclosure: values.legacyDisclosure.nullish(),
    enabled: values.enabled.nullish(),
    extraction: values.extraction.nullish(),
    instructions: values.instructions.nullish(),
    extractionThreshold: values.extractionThreshold.nullish(),
    skillsEnabled: values.skillsEnabled.nullish(),
    identityProvider: IdentityProviderInput.nullish(),
    upstream: UpstreamInput.nullish(),
    models: values.models.nullish(),
    placement: values.placement.nullish(),
  })
  .meta({
    id: "SettingsChange",
    description: "Settings that are not named stay as they are. Null resets a setting to its default",
  });

export const SettingsView = z
  .object({
    ...values,
    identityProvider: IdentityProviderView.nullable().describe("null for none"),
    upstream: UpstreamView.nullable().describe("null for none"),
    version: z.number().int().describe("The number of changes so far; also the ETag"),
  })
  .meta({ id: "Settings" });

/** What a tenant's row may hold. */
export const StoredSettings = z
  .object({
    ...values,
    identityProvider: z.object({ issuer, audience, jwksUrl, algorithms, userClaim }).nullable(),
    upstream: z.object({ url: z.string(), apiKey: z.string().nullable(), models: upstreamModels }).nullable(),
  })
  .partial();

export type SettingsChange = z.infer<typeof SettingsChange>;
export type SettingsView = z.infer<typeof SettingsView>;
export type IdentityProviderInput = z.infer<typeof IdentityProviderInput>;
export type UpstreamInput = z.infer<typeof UpstreamInput>;
export type UpstreamView = z.infer<typeof UpstreamView>;

function isOrigin(value: string): boolean {
  return URL.canParse(value) && new URL(value).origin === value && value !== "null";
}

function originAdvice(value: string): string {
  const rule = "An origin is a scheme, a host and perhaps a port";
  const origin = URL.canParse(value) ? new URL(value).origin : "null";
  const isMeant = isOrigin(origin) && secretInName(origin) === null;
  return isMeant ? `${rule}: write ${origin}.` : `${rule}, as in https://app.example.com.`;
}

function isAddress(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

function isBase(value: string): boolean {
  if (!URL.canParse(value) || /[?#]/.test(value)) return false;
  const { protocol, username, password } = new URL(value);
  return (protocol === "https:" || protocol === "http:") && username === "" && password === "";
}
