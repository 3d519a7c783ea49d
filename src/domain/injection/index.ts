export { askUpstream, upstreamName } from "./ask-upstream.ts";
export { answerContext } from "./build-context.ts";
export { listModels } from "./list-models.ts";
export { type MemoryOutcome, type NamedPlace, type CompletionPlan, decideCompletion } from "./completion-plan.ts";
export { ContextInput, ContextView } from "./schemas.ts";
export { storeExchange } from "./store-exchange.ts";
