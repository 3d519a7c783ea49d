import type { LeftOut } from "./parsed.ts";

/** What an import counts. */
export const STATISTICS = [
  "stored",
  "grown",
  "known",
  "elsewhere",
  "empty",
  "erased",
  "failed",
  "messages",
  "messagesKnown",
  "hidden",
  "tool",
  "thinking",
  "parts",
  "branches",
  "blank",
  "activitiesLeftOut",
  "projectsLeftOut",
  "documents",
] as const;

export type Statistics = Record<(typeof STATISTICS)[number], number>;

export function noStatistics(): Statistics {
  return withAll({});
}

/** Counts that were stored, with 0 for those that are not among them. */
export function withAll(stored: Readonly<Record<string, number>>): Statistics {
  const {
    stored: first = 0,
    grown = 0,
    known = 0,
    elsewhere = 0,
    empty = 0,
    erased = 0,
    failed = 0,
    messages = 0,
    messagesKnown = 0,
  } = stored;
  const { hidden = 0, tool = 0, thinking = 0, parts = 0, branches = 0, blank = 0 } = stored;
  const { activitiesLeftOut = 0, projectsLeftOut = 0, documents = 0 } = stored;
  return {
    ...{ stored: first, grown, known, elsewhere, empty, erased, failed, messages, messagesKnown },
    ...{ hidden, tool, thinking, parts, branches, blank, activitiesLeftOut, projectsLeftOut, documents },
  };
}

export function countLeftOut(statistics: Statistics, { hidden, tool, thinking, parts, branches, empty }: LeftOut): void {
  const counts = { hidden, tool, thinking, parts, branches, blank: empty };
  for (const name of ["hidden", "tool", "thinking", "parts", "branches", "blank"] as const) statistics[name] += counts[name];
}
