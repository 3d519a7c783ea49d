export { answerContext } from "./build-context.ts";
export {
  type CompletionPlan,
  decideCompletion,
  endsWithRequest,
  type MemoryOutcome,
  type NamedPlace,
} from "./completion-plan.ts";
export { type Insertion, PARTED, placeBlock, type TurnChange } from "./inject.ts";
export { passEmbeddings, passStoredResponse } from "./pass-through.ts";
export type { ChatTurn } from "./read-turns.ts";
export { ContextInput, ContextView } from "./schemas.ts";
export { storeAsked, storeExchange } from "./store-exchange.ts";
export { askUpstream, findModel, listModels, upstreamName } from "./upstream.ts";
