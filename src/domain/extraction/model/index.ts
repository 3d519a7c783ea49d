export { askModel } from "./ask-model.ts";
export {
  type DropReason,
  type KnownMemory,
  type ModelAsk,
  type ModelEntity,
  type ModelMemory,
  type ModelOutcome,
  type ModelPerson,
  SPEAKER,
  type TranscriptMessage,
  type Unusable,
} from "./types.ts";
