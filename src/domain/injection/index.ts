export { askUpstream, upstreamName } from "./ask-upstream.ts";
export { answerContext } from "./build-context.ts";
export { type CompletionPlan, decideCompletion, type MemoryOutcome, type NamedPlace } from "./completion-plan.ts";
export { listModels } from "./list-models.ts";
export { ContextInput, ContextView } from "./schemas.ts";
export { storeExchange } from "./store-exchange.ts";
