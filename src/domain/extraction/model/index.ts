export { askModel } from "./ask-model.ts";
export {
  type KnownMemory,
  type ModelMemory,
  type ModelOutcome,
  SPEAKER,
  type TranscriptMessage,
  type Unusable,
} from "./types.ts";
