export { askUpstream, upstreamName } from "./ask-upstream.ts";
export { answerContext } from "./build-context.ts";
export { listModels } from "./list-models.ts";
export { type MemoryNote, type NamedPlace, type Plan, planCompletion } from "./plan-completion.ts";
export { ContextInput, ContextView } from "./schemas.ts";
export { storeExchange } from "./store-exchange.ts";
