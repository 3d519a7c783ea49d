import type { ExtractionCase } from "./extraction-cases.ts";
import { NOT_TAKEN } from "./extraction-not-taken.ts";
import { TAKEN } from "./extraction-taken.ts";

export type { ExtractionCase } from "./extraction-cases.ts";

/** What rules take, and what they must not. Written by the authors of the rules: it guards them, and says nothing of what people write. */
export const FITTED: readonly ExtractionCase[] = [...TAKEN, ...NOT_TAKEN];
