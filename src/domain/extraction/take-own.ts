import { isInstruction } from "./model/instruction.ts";
import { takeMemories } from "./rules/take-memories.ts";
import type { SpokenMessage, TakenMemory } from "./rules/taken.ts";

/** What rules find in one speaker's messages, without what would order a model about: what a model takes is held to the same. */
export function takeOwn(messages: readonly SpokenMessage[]): TakenMemory[] {
  return takeMemories(messages).filter((taken) => !isInstruction(taken));
}
