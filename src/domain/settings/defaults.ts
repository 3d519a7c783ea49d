import type { Settings } from "#context";

/** Every setting has a value here; a tenant's row holds only what it changed. */
export const DEFAULT_SETTINGS: Settings = {
  allowedOrigins: [],
  maxTokens: 2000,
  retentionDays: 30,
  expireEpisodes: false,
  summarizeAfterTokens: null,
  strategy: "hybrid",
  maxEntries: null,
  autoGc: true,
  piiReview: true,
  // Read in SQL too, where memories are: see `disclosesLegacy`.
  legacyDisclosure: false,
  enabled: true,
  extraction: "auto",
  instructions: "",
  extractionThreshold: 0.7,
  skillsEnabled: false,
  identityProvider: null,
  upstream: null,
  models: { withoutSystemRole: ["o1", "o1-mini", "o1-preview", "glm", "glmt", "glm-cn", "zai", "qianfan"] },
  placement: "system",
  version: 0,
};
