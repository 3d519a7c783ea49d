import { z } from "zod";

export const JobStatus = z.enum(["pending", "running", "done", "failed"]);

/** Servers whose outage jobs wait out. */
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
        "When it may be taken; for a running job, when its lease ends; for one that waits for a server, when it is tried at the latest",
      ),
    error: z.string().nullable().describe("Why the last try failed."),
    result: z.record(z.string(), z.unknown()).nullable().describe("What came of it so far, as counts and our own words"),
    createdAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable(),
    waitingFor: WaitedFor.nullable().describe(
      "The server that does not answer, of a pending job that waits for it. Each minute it is asked again; when it answers, the job goes on by itself",
    ),
    waitingSince: z.iso.datetime().nullable().describe("Since when the job has been held up by servers that do not answer"),
  })
  .meta({ id: "Job" });

export const JobListInput = z.strictObject({
  status: JobStatus.optional(),
  waitingFor: WaitedFor.optional().describe("Only jobs that wait for this server"),
  cursor: z.string().max(512).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});

export type WaitedFor = z.infer<typeof WaitedFor>;
export type JobView = z.infer<typeof JobView>;
export type JobListInput = z.infer<typeof JobListInput>;
