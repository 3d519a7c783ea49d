import { z } from "zod";
import { MEMORY_TYPES } from "#domain/memories";
import { SPEAKER } from "./types.ts";

export const SENSITIVITIES = ["public", "personal", "sensitive"] as const;

const Memory = z.strictObject({
  type: z.enum(MEMORY_TYPES),
  content: z
    .string()
    .describe("One statement in the language of the transcript that is understood on its own; at most 300 characters"),
  quote: z.string().describe("The words of one user message that it rests on, exactly as they stand there"),
  confidence: z.number().describe("0 to 1: how sure it is that this was meant and will hold"),
  sensitivity: z.enum(SENSITIVITIES),
  portable: z.boolean().describe("false for what matters in this conversation only"),
  subjects: z.array(z.string()).describe(`Names of whom it is about; ${SPEAKER} for whoever said it`),
  key: z.string().nullable().describe("For what has one value at a time, such as identity:home; else null"),
  replaces: z.array(z.string()).describe("Ids of known memories that no longer hold, such as K1"),
});

const Person = z.strictObject({
  name: z.string(),
  aliases: z.array(z.string()).describe("Other names for the same person in the transcript"),
  relationship: z.string().nullable().describe("What they are to whoever speaks of them"),
});

const Entity = z.strictObject({
  type: z.string().describe("project, tool, place, organisation, document, product or another one-word kind"),
  name: z.string(),
  notes: z.string().nullable().describe("What the transcript says it is, in one sentence"),
});

const Answer = z.strictObject({ memories: z.array(Memory), people: z.array(Person) });
const AnswerWithEntities = Answer.extend({ entities: z.array(Entity) });

/**
 * What a model is asked to keep to: every field required and no others, as strict modes want it. Limits are left out, since not every server
 * takes them; they are checked when the answer is read.
 */
export function answerFormat(withEntities: boolean): { name: string; schema: Record<string, unknown> } {
  const { $schema: _, ...schema } = z.toJSONSchema(withEntities ? AnswerWithEntities : Answer);
  return { name: "memories", schema };
}
