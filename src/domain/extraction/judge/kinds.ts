import type { MEMORY_TYPES } from "#db/schema/memories";

/** How long a statement holds. */
export const LASTS = ["always", "years", "months", "weeks", "days"] as const;
/** Whom it is about: the speaker, the speaker and others, or others. */
export const ABOUT = ["me", "us", "other"] as const;

export type Kind = {
  type: (typeof MEMORY_TYPES)[number];
  lasts: (typeof LASTS)[number];
  about: (typeof ABOUT)[number];
  isSensitive: boolean;
  /** Tells the assistant how to behave from now on. */
  isInstruction: boolean;
  /** Is at least a rule of the speaker's own that may be meant for the assistant: kept as one where nothing speaks against it. */
  mayBeInstruction: boolean;
  /** May take back how the speaker wished the assistant to behave: it does where there is such a wish. */
  mayWithdraw: boolean;
};
