export { type MemoryMiddleware, memoryMiddleware } from "./memory-middleware.ts";
export { memoryTools, type ToolPlace } from "./memory-tools.ts";
export type { CallOptions, GenerateResult, Model, ReplyPart, StreamResult } from "./model.ts";
export type { Failed, MemoryOptions, MemoryPlace } from "./options.ts";
export type { PromptMessage } from "./prompt.ts";
export { withMemory } from "./with-memory.ts";
