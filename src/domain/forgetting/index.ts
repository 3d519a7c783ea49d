export { appendAndForget, forgetBeforeReply } from "./append-and-forget.ts";
export { GRACE_MS } from "./carry-out.ts";
export { forgetMatching, previewForgetting } from "./forget-matching.ts";
export { forgetMemory } from "./forget-memory.ts";
export { forgetSaid } from "./forget-said.ts";
export { hideRepeated } from "./hide-repeated.ts";
export { listForgettings } from "./list-forgettings.ts";
export {
  ForgetInput,
  ForgetMatchingInput,
  ForgettingListInput,
  ForgettingView,
  ForgottenView,
  UndoForgettingInput,
  UndoneView,
} from "./schemas.ts";
export { restoreMemory, undoForgetting } from "./undo-forgetting.ts";
