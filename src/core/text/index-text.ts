import { analyse } from "./analyse.ts";

const MONTH_AND_YEAR = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" });

/** What the text column of the index holds for a passage: its tokens and those of the month and year of the conversation, in UTC. */
export function indexTokens(passage: string, when: Date | null): string {
  const tokens = analyse(passage);
  if (when !== null && !Number.isNaN(when.getTime())) tokens.push(...analyse(MONTH_AND_YEAR.format(when)));
  return tokens.join(" ");
}
