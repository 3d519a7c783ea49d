export { buildContext, type ContextOptions, type ContextQuery } from "./build-context.ts";
export { type ChatTurn, injectBlock } from "./inject.ts";
export { textOf } from "./read-turns.ts";
export { ContextInput, ContextView } from "./schemas.ts";
