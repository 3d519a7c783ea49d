export { findNext, type SessionToSummarize } from "./load-session.ts";
export { DEFAULT_KEEP_TOKENS, MAX_KEEP_TOKENS, SummarizeInput, SummarizeView } from "./schemas.ts";
export { summarize } from "./summarize.ts";
export { type SummarizeCtx, summarizeSession } from "./summarize-session.ts";
