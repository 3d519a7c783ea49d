export { Edgewise } from "./edgewise.ts";
export { EdgewiseConnectionError, EdgewiseError, EdgewiseTimeoutError, type FieldError } from "./errors.ts";
export type { components } from "./generated/schema.ts";
export type {
  Call,
  CallOptions,
  ChatCompletion,
  ChatCompletionChunk,
  Input,
  ListCall,
  OperationId,
  Output,
  ResponseEvent,
  StreamCall,
  Written,
} from "./method.ts";
export type { EdgewiseOptions } from "./send.ts";
