import { z } from "zod";
import { Cursor, Moment, SPAN, wholeNumber } from "#core/fields";

export const JobStatus = z.enum(["pending", "running", "done", "failed"]);

/** Servers that jobs wait for when they are down. */
export const WaitedFor = z.enum(["embedder", "vectors", "chatModel"]);

export const JobView = z
  .object({
    id: z.string(),
    kind: z.string(),
    status: JobStatus,
    attempts: z.number().int(),
    dueAt: z.iso
      .datetime()
      .describe(
        "When it is due; for a running job, when its lease ends; for one that waits for a server, when it is tried at the latest",
      ),
    error: z.string().nullable().describe("Why the last try failed."),
    result: z.record(z.string(), z.unknown()).nullable().describe("The result so far, as counts and fixed words"),
    createdAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable(),
    waitingFor: WaitedFor.nullable().describe(
      "For a pending job that waits for a server: the server that does not answer, or answers wrongly (`error` says which). It is tested every minute; when it works again, the job continues automatically",
    ),
    waitingSince: z.iso.datetime().nullable().describe("Since when the job has waited for servers that do not work"),
  })
  .meta({ id: "Job" });

export const JobListInput = z.strictObject({
  status: JobStatus.optional(),
  waitingFor: WaitedFor.optional().describe("Only jobs that wait for this server"),
  cursor: Cursor.optional(),
  limit: wholeNumber({ min: 1, max: 100 }).default(50),
});

export const RerunInput = z
  .strictObject({
    status: z.enum(["failed", "pending"]).optional().describe("failed when absent; pending: those that wait for their next try"),
    kind: z.string().min(1).max(80).optional(),
    error: z.string().min(1).max(200).optional().describe("Only jobs whose error holds this text, such as `misconfigured`"),
    from: Moment.optional().describe("Only jobs that were created then or later"),
    to: Moment.optional().describe("Only jobs that were created then or before"),
    limit: z.number().int().min(1).max(1000).optional().describe("100 when absent"),
    cursor: Cursor.optional().describe("The nextCursor of an earlier answer"),
  })
  .refine(...SPAN)
  .meta({ id: "RerunInput" });

export const RerunView = z
  .object({
    rerun: z.number().int().describe("Jobs that were given all of their tries again"),
    remaining: z.number().int().describe("Jobs that match as well, of those that this call looked at (5,000 at most)"),
    nextCursor: z.string().nullable().describe("Ask again with this until it is null"),
  })
  .meta({ id: "JobsRerun" });

export type RerunInput = z.infer<typeof RerunInput>;
export type RerunView = z.infer<typeof RerunView>;
export type WaitedFor = z.infer<typeof WaitedFor>;
export type JobView = z.infer<typeof JobView>;
export type JobListInput = z.infer<typeof JobListInput>;
