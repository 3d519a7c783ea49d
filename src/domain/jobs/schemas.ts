import { z } from "zod";
import { Cursor, wholeNumber } from "#core/fields";

export const JobStatus = z.enum(["pending", "running", "done", "failed"]);

export const JobView = z
  .object({
    id: z.string(),
    kind: z.string(),
    status: JobStatus,
    attempts: z.number().int(),
    dueAt: z.iso.datetime().describe("When it may be taken; for a running job, when its lease ends."),
    error: z.string().nullable().describe("Why the last try failed."),
    result: z.record(z.string(), z.unknown()).nullable().describe("What came of it so far, as counts and our own words"),
    createdAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "Job" });

export const JobListInput = z.strictObject({
  status: JobStatus.optional(),
  cursor: Cursor.optional(),
  limit: wholeNumber({ min: 1, max: 100 }).default(50),
});

export type JobView = z.infer<typeof JobView>;
export type JobListInput = z.infer<typeof JobListInput>;
