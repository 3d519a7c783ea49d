import type { Caller, Services } from "#context";
import type { Progress } from "./progress.ts";

export type StepCtx = Caller & Services;

/** Does a bounded part of its work, and changes `progress`. Returns whether there was nothing left to do. */
export type Step = (ctx: StepCtx, progress: Progress) => Promise<boolean>;
