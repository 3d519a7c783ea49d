import { z } from "zod";
import { asRule } from "#core/fields";
import { INDEXABLES, INVARIANT_NAMES } from "./findings.ts";
import { TASK_NAMES } from "./step.ts";

export const MAX_EXAMPLES = 10;
const Counts = z.record(z.string(), z.number().int());
const Invariant = z.enum(INVARIANT_NAMES);

export const LifecycleInput = z
  .strictObject({
    tasks: z.array(z.enum(TASK_NAMES)).min(1).max(TASK_NAMES.length).optional().describe("All of them when absent"),
    dryRun: z.boolean().optional().describe("Returns what a run would do, and changes nothing"),
    limit: z.number().int().min(1).max(1000).optional().describe("Rows that each task may change; 200 when absent"),
  })
  .meta({ id: "LifecycleInput" });

export const LifecycleView = z
  .object({
    dryRun: z.boolean(),
    tasks: z.array(
      z.object({
        task: z.enum(TASK_NAMES),
        done: z.number().int().describe("Rows that it changed, or would change"),
        remaining: z
          .boolean()
          .describe("Whether there is more to do: another run continues there. A dry run looks only at what one run would do"),
        counts: Counts.describe("The same, counted by kind"),
        beside: Counts.describe(
          "More about it: of retain the messages of the episodes, and episodes (unsummarized) that stay because no summary covers them; of summarize the tokens saved",
        ),
      }),
    ),
  })
  .meta({ id: "LifecycleReport" });

/** What is indexed. */
export const IndexedKind = z.enum(INDEXABLES.map(({ kind }) => kind));

export const RebuildInput = z
  .strictObject({
    kinds: z.array(IndexedKind).min(1).max(INDEXABLES.length).optional().describe("All of them when absent"),
    words: z.boolean().optional().describe("Whether to write the text index again; true when absent"),
    vectors: z.boolean().optional().describe("Whether to embed again and write the vectors; true when absent"),
  })
  .refine(
    ({ words, vectors }) => words !== false || vectors !== false,
    asRule("A rebuild writes words, vectors or both.", "words"),
  )
  .meta({ id: "RebuildInput" });

export const RebuildView = z
  .object({
    items: z.array(
      z.object({
        kind: IndexedKind,
        jobId: z.string().describe("The job that does it: GET /v1/jobs/{jobId} says how far it has come"),
        started: z.boolean().describe("false if one was running already, which goes on with its own input"),
      }),
    ),
  })
  .meta({ id: "Rebuild" });

const Cursor = z
  .string()
  .min(1)
  .max(1000)
  .regex(/^[A-Za-z0-9_-]*$/, "A cursor is the nextCursor of an earlier answer.")
  .describe("The nextCursor of an earlier answer");

export const DoctorInput = z.strictObject({ cursor: Cursor.optional() });

export const RepairInput = z
  .strictObject({
    cursor: Cursor.optional(),
    dryRun: z.boolean().optional().describe("Returns what it would repair, and changes nothing"),
  })
  .meta({ id: "DoctorInput" });

const checkFields = {
  name: Invariant,
  description: z.string().describe("The invariant in one sentence"),
  level: z.enum(["error", "info"]).describe("info: nothing is wrong, it is only reported"),
  checked: z
    .union([z.number().int(), z.literal(false)])
    .describe("Rows that this call checked; false if they cannot be checked: Vectorize cannot list its vectors"),
  violations: z.number().int(),
  examples: z
    .array(z.string())
    .max(MAX_EXAMPLES)
    .describe(
      "Ids as other answers show them: for sessions, projects and users the app's own. Rows without an id are only counted",
    ),
  reasons: z.array(z.string()).max(MAX_EXAMPLES).optional().describe("Of job.waiting: why they wait"),
  since: z.iso.datetime().optional().describe("Of job.waiting: since when the first of them has waited"),
};

const progress = {
  complete: z.boolean().describe("Whether this answer and those before it cover everything"),
  nextCursor: z.string().nullable().describe("A call does a bounded amount of work: ask again with this until it is null"),
};

export const DoctorView = z
  .object({
    healthy: z.boolean().describe("Whether this call found no error"),
    invariants: z.array(z.object(checkFields)),
    ...progress,
  })
  .meta({ id: "DoctorReport" });

export const RepairView = z
  .object({
    dryRun: z.boolean(),
    invariants: z.array(
      z.object({
        ...checkFields,
        repaired: z.number().int().describe("Violations that were repaired, or would be"),
        needsPerson: z.number().int().describe("Violations that only a person can repair"),
      }),
    ),
    ...progress,
  })
  .meta({ id: "DoctorRepair" });

export type LifecycleInput = z.infer<typeof LifecycleInput>;
export type LifecycleView = z.infer<typeof LifecycleView>;
export type DoctorInput = z.infer<typeof DoctorInput>;
export type DoctorView = z.infer<typeof DoctorView>;
export type RepairInput = z.infer<typeof RepairInput>;
export type RepairView = z.infer<typeof RepairView>;
export type RebuildInput = z.infer<typeof RebuildInput>;
export type RebuildView = z.infer<typeof RebuildView>;
