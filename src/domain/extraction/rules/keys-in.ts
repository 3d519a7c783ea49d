import { speakerSlotOf } from "#core/language/slots";
import { takeMemories } from "./take-memories.ts";

/** The keys of what a text states, by the rules. */
export function keysIn(text: string): string[] {
  const slot = speakerSlotOf(text);
  return [
    ...(slot === null ? [] : [`identity:${slot}`]),
    ...takeMemories([{ role: "user", text }]).flatMap(({ key }) => key ?? []),
  ];
}
