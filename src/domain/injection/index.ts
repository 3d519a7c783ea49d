export { answerContext } from "./build-context.ts";
export { asksToForget, type CompletionPlan, decideCompletion, type MemoryOutcome, type NamedPlace } from "./completion-plan.ts";
export { ContextInput, ContextView } from "./schemas.ts";
export { storeExchange } from "./store-exchange.ts";
export { askUpstream, listModels, upstreamName } from "./upstream.ts";
