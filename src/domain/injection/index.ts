export { askUpstream, upstreamName } from "./ask-upstream.ts";
export { buildContext, type ContextQuery } from "./build-context.ts";
export { type ChatTurn, injectBlock } from "./inject.ts";
export { listModels } from "./list-models.ts";
export { type Completion, type MemoryNote, type Plan, planCompletion } from "./plan-completion.ts";
export { textOf } from "./read-turns.ts";
export { ContextInput, ContextView } from "./schemas.ts";
export { storeExchange } from "./store-exchange.ts";
