import { z } from "zod";
import { readCursor } from "./cursor.ts";
import type { CheckResult } from "./findings.ts";
import type { Step, UpkeepCtx } from "./step.ts";

export type Section = (ctx: UpkeepCtx, step: Step) => Promise<CheckResult>;

const Cursor = z.object({ section: z.number().int().min(0), at: z.string() });

/** The next step through sections, one after another. */
export async function walkSections(ctx: UpkeepCtx, sections: readonly Section[], { cursor, limit }: Step): Promise<CheckResult> {
  const { section, at } = cursor === "" ? { section: 0, at: "" } : readCursor(Cursor, cursor);
  const check = sections[section];
  if (check === undefined) return { checked: {}, findings: [], next: null };
  const result = await check(ctx, { cursor: at, limit });
  const on = result.next !== null ? { section, at: result.next } : { section: section + 1, at: "" };
  return { ...result, next: on.section === sections.length ? null : JSON.stringify(on) };
}
