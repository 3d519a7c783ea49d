export { findNext, type SessionToSummarize } from "./load-session.ts";
export { SummarizeInput, SummarizeView } from "./schemas.ts";
export { summarize } from "./summarize.ts";
export { summarizeSession } from "./summarize-session.ts";
