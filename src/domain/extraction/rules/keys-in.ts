import { partsOf } from "#core/language/one-thing";
import { leadsOf } from "#core/language/shared-subject";
import { isUncertain, speakerSlotsIn } from "#core/language/slots";
import { takeMemories } from "./take-memories.ts";

/** The keys of what a text states, by the rules. */
export function keysIn(text: string): string[] {
  return [
    ...speakerSlotsIn(text).map(({ slot }) => `identity:${slot}`),
    ...takeMemories([{ role: "user", text }]).flatMap(({ key }) => key ?? []),
  ];
}

/** A statement has few parts; those beyond are not looked at. */
const MAX_PARTS = 8;

/** The keys of what any part of a statement of the speaker states, each with the subject that it may share with the first. */
export function keysOfParts(statement: string): string[] {
  const { subject, copular } = leadsOf(statement);
  const leads = ["", subject, copular].filter((lead) => lead !== null);
  const parts = isUncertain(statement) ? [] : partsOf(statement).slice(0, MAX_PARTS);
  return [...new Set([...keysIn(statement), ...parts.flatMap((part) => leads.flatMap((lead) => keysIn(`${lead}${part}`)))])];
}
