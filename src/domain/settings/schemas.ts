import { z } from "zod";

const origin = z
  .string()
  .max(256)
  .refine(isOrigin, "An origin is a scheme, a host and perhaps a port, as in https://app.example.com.")
  .describe("A browser origin such as https://app.example.com");

/** What a setting may be; what it is when nobody said is in `defaults.ts`. */
const values = {
  allowedOrigins: z.array(origin).max(50).describe("Browser origins whose pages may read the answers of this tenant"),
  maxTokens: z
    .number()
    .int()
    .min(0)
    .max(16_000)
    .describe("Tokens of memory that a context may take unless the request says otherwise"),
  retentionDays: z.number().int().min(1).max(365).describe("Days after which what nobody kept is deleted"),
  expireEpisodes: z.boolean().describe("Whether retentionDays counts for episodes too"),
  strategy: z.enum(["recent", "semantic", "hybrid"]).describe("How memories are chosen unless the request says otherwise"),
  maxEntries: z
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .nullable()
    .describe("Active memories that one space may hold; null for no cap"),
  autoGc: z.boolean().describe("Whether expiry, retention and the cap are carried out by themselves"),
  piiReview: z.boolean().describe("Whether memories that may hold personal data wait for approval"),
  legacyDisclosure: z.boolean().describe("Whether, in private, a memory about others may be told that has no recorded session"),
};

const { allowedOrigins, maxTokens, retentionDays, expireEpisodes, strategy, maxEntries, autoGc, piiReview, legacyDisclosure } =
  values;

export const SettingsChange = z
  .strictObject({
    allowedOrigins: allowedOrigins.nullish(),
    maxTokens: maxTokens.nullish(),
    retentionDays: retentionDays.nullish(),
    expireEpisodes: expireEpisodes.nullish(),
    strategy: strategy.nullish(),
    maxEntries: maxEntries.optional(),
    autoGc: autoGc.nullish(),
    piiReview: piiReview.nullish(),
    legacyDisclosure: legacyDisclosure.nullish(),
  })
  .meta({ id: "SettingsChange", description: "What is not named stays. Null puts a setting back to its default" });

export const SettingsView = z
  .object({ ...values, version: z.number().int().describe("Counts the changes; also the ETag") })
  .meta({ id: "Settings" });

/** What a tenant's row may hold. */
export const StoredSettings = z.object(values).partial();

export type SettingsChange = z.infer<typeof SettingsChange>;

function isOrigin(value: string): boolean {
  return URL.canParse(value) && new URL(value).origin === value && value !== "null";
}
