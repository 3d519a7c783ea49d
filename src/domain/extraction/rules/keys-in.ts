import { speakerSlotsIn } from "#core/language/slots";
import { takeMemories } from "./take-memories.ts";

/** The keys of what a text states, by the rules. */
export function keysIn(text: string): string[] {
  return [
    ...speakerSlotsIn(text).map(({ slot }) => `identity:${slot}`),
    ...takeMemories([{ role: "user", text }]).flatMap(({ key }) => key ?? []),
  ];
}
