import { z } from "zod";
import { asRule, SPAN } from "#core/fields";

const DAY_MS = 86_400_000;
export const MAX_DAYS = 366;

const Day = z.iso
  .date()
  .refine((day) => day >= "1970-01-01", asRule("Nothing was counted before 1970."))
  .describe("A day in UTC, as 2026-03-01");

export const UsageInput = z
  .strictObject({
    from: Day.optional().describe("The first day; 29 days before the last when absent"),
    to: Day.optional().describe("The last day; today when absent"),
  })
  .refine(...SPAN)
  .refine(
    ({ from, to }) => from === undefined || to === undefined || Date.parse(to) - Date.parse(from) < MAX_DAYS * DAY_MS,
    asRule(`${MAX_DAYS} days at most.`, "from"),
  );

const count = z.number().int();

const counts = {
  contexts: count.describe("Contexts that were built while memory was on"),
  hitRate: z.number().nullable().describe("The share of contexts that contained something; null without any"),
  tokensInjected: count.describe("Estimated tokens of their blocks"),
  answers: count.describe("Questions that were answered from facts, or could have been"),
  answersFound: count.describe("Of them, those that had an answer"),
  completions: count.describe("Chat completions that went through the proxy"),
  extractionCalls: count.describe("Calls of a model by extraction"),
  extractionInputTokens: count.describe("As the model counted them"),
  extractionOutputTokens: count,
  memoriesExtracted: count.describe("Memories that extraction stored"),
};

export const UsageView = z
  .object({
    from: z.iso.date(),
    to: z.iso.date(),
    days: z
      .array(z.object({ day: z.iso.date(), ...counts }).meta({ id: "UsageDay" }))
      .describe("In order; a day without any use is left out"),
    totals: z.object(counts),
  })
  .meta({ id: "Usage" });

export type UsageInput = z.infer<typeof UsageInput>;
export type UsageView = z.infer<typeof UsageView>;
