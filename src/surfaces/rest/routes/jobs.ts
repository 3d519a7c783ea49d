import { z } from "@hono/zod-openapi";
import { getJob, JobListInput, JobView, listJobs, RerunInput, RerunView, rerunJob, rerunJobs } from "#domain/jobs";
import { answers, optionalBody, page, pageOf } from "#surfaces/rest/answers";
import { JOB, JOB_RERUN, RERUN, RERUN_ANSWER } from "#surfaces/rest/examples/operations";
import { routesOf } from "#surfaces/rest/route";
import { createRouter } from "#surfaces/rest/router";

const route = routesOf({ tag: "jobs", answersContent: false });
const params = z.object({ jobId: z.string().max(80) });

export const jobRoutes = createRouter()
  .openapi(
    route({
      method: "get",
      path: "/v1/jobs",
      operationId: "jobs.list",
      summary: "List background jobs",
      description: "The tenant's jobs, newest first.",
      permission: "read",
      session: "nowhere",
      keysOnly: true,
      request: { query: JobListInput },
      responses: answers(200, pageOf(JobView, "JobPage"), { description: "A page of jobs", example: page(JOB) }),
    }),
    async (c) => c.json(await listJobs(c.var.ctx, c.req.valid("query")), 200),
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/jobs/{jobId}",
      operationId: "jobs.get",
      summary: "Read a job",
      description: "A job with its attempts, its result and, if it failed, the reason.",
      permission: "read",
      session: "nowhere",
      keysOnly: true,
      request: { params },
      responses: answers(200, JobView, { description: "The job", example: JOB }),
    }),
    async (c) => c.json(await getJob(c.var.ctx, c.req.valid("param").jobId), 200),
  )
  .openapi(
    route({
      method: "post",
      path: "/v1/jobs/rerun",
      operationId: "jobs.rerunMany",
      summary: "Run failed jobs again",
      description: "Resets the attempts of the matching jobs, a bounded number in each call.",
      permission: "admin",
      session: "nowhere",
      replay: RerunView,
      // Its texts are only compared with the errors of jobs.
      storesNames: false,
      request: optionalBody(RerunInput, RERUN),
      responses: answers(200, RerunView, { description: "How many jobs, and whether there are more", example: RERUN_ANSWER }),
    }),
    async (c) => c.json(await rerunJobs(c.var.ctx, c.req.valid("json")), 200),
  )
  .openapi(
    route({
      method: "post",
      path: "/v1/jobs/{jobId}/rerun",
      operationId: "jobs.rerun",
      summary: "Run a job again",
      description: "Resets the attempts of a failed or waiting job and runs it now.",
      permission: "admin",
      session: "nowhere",
      replay: JobView.pick({ id: true, kind: true, status: true }),
      request: { params },
      responses: answers(200, JobView, { description: "The job, waiting", example: JOB_RERUN }),
    }),
    async (c) => c.json(await rerunJob(c.var.ctx, c.req.valid("param").jobId), 200),
  );
