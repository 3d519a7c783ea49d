import type { ExtractionCase } from "./extraction-cases.ts";
import { CHINESE } from "./extraction-chinese.ts";
import { ENGLISH_NOT_TAKEN } from "./extraction-english-not-taken.ts";
import { ENGLISH_TAKEN } from "./extraction-english-taken.ts";
import { FRENCH } from "./extraction-french.ts";
import { GERMAN } from "./extraction-german.ts";
import { SPANISH } from "./extraction-spanish.ts";

export type { ExtractionCase } from "./extraction-cases.ts";
export { FRESH } from "./extraction-fresh.ts";
export { HELD_OUT } from "./extraction-held-out.ts";
export { HELD_OUT_LAST } from "./extraction-held-out-last.ts";

/** Written before the rules were tuned, and seen while they were. Every person in them is invented. */
export const FITTED: readonly ExtractionCase[] = [
  ...ENGLISH_TAKEN,
  ...ENGLISH_NOT_TAKEN,
  ...GERMAN,
  ...SPANISH,
  ...FRENCH,
  ...CHINESE,
];
