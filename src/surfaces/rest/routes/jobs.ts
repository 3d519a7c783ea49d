import { createRoute, z } from "@hono/zod-openapi";
import { getJob, JobListInput, JobView, listJobs, RerunInput, RerunView, rerunJob, rerunJobs } from "#domain/jobs";
import { answers, idempotencyKey, optionalBody, pageOf, secured } from "#surfaces/rest/answers";
import { once } from "#surfaces/rest/idempotent";
import { createRouter } from "#surfaces/rest/router";

const tags = ["jobs"];
const params = z.object({ jobId: z.string().max(80) });

export const jobRoutes = createRouter()
  .openapi(
    createRoute({
      method: "get",
      path: "/v1/jobs",
      tags,
      security: secured,
      summary: "Background work, newest first (permission: read)",
      request: { query: JobListInput },
      responses: answers(200, pageOf(JobView, "JobPage"), "A page of jobs"),
    }),
    async (c) => c.json(await listJobs(c.var.ctx, c.req.valid("query")), 200),
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/v1/jobs/{jobId}",
      tags,
      security: secured,
      summary: "One job (permission: read)",
      request: { params },
      responses: answers(200, JobView, "The job"),
    }),
    async (c) => c.json(await getJob(c.var.ctx, c.req.valid("param").jobId), 200),
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/v1/jobs/rerun",
      tags,
      security: secured,
      summary: "Give the jobs that match their tries again, now, a bounded number a call (permission: admin)",
      middleware: once(RerunView),
      request: { headers: idempotencyKey, ...optionalBody(RerunInput) },
      responses: answers(200, RerunView, "How many, and whether there are more"),
    }),
    async (c) => c.json(await rerunJobs(c.var.ctx, c.req.valid("json")), 200),
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/v1/jobs/{jobId}/rerun",
      middleware: once(JobView.pick({ id: true, kind: true, status: true })),
      tags,
      security: secured,
      summary: "Give a failed or waiting job its tries again, now (permission: admin)",
      request: { params, headers: idempotencyKey },
      responses: answers(200, JobView, "The job, waiting"),
    }),
    async (c) => c.json(await rerunJob(c.var.ctx, c.req.valid("param").jobId), 200),
  );
