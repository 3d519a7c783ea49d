import { z } from "zod";
import { readCursor } from "./cursor.ts";
import type { Examined } from "./findings.ts";
import type { Step, UpkeepCtx } from "./plan.ts";

export type Section = (ctx: UpkeepCtx, step: Step) => Promise<Examined>;

const Cursor = z.object({ section: z.number().int().min(0), at: z.string() });

/** The next step through sections, one after another. */
export async function walkSections(ctx: UpkeepCtx, sections: readonly Section[], { cursor, limit }: Step): Promise<Examined> {
  const { section, at } = cursor === "" ? { section: 0, at: "" } : readCursor(Cursor, cursor);
  const examine = sections[section];
  if (examine === undefined) return { checked: {}, findings: [], next: null };
  const examined = await examine(ctx, { cursor: at, limit });
  const on = examined.next !== null ? { section, at: examined.next } : { section: section + 1, at: "" };
  return { ...examined, next: on.section === sections.length ? null : JSON.stringify(on) };
}
