import type { Output as Answer } from "@edgewise/client";
import { day } from "#cli/terminal/dates";
import { type Output, paragraph } from "#cli/terminal/output";
import { printableLine } from "#cli/terminal/printable";

type Memory = Answer<"memories.get">;

/** A memory as lists show it: what is known about it on one line, then its content. */
export function memoryLines({ id, type, createdAt, content }: Memory, output: Output): string[] {
  const about = [id, type, day(createdAt)].map(printableLine).join(" · ");
  return [output.colours.dim(about), ...paragraph(content, output, "  ")];
}
