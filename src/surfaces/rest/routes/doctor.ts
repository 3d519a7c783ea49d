import { createRoute } from "@hono/zod-openapi";
import { DoctorInput, DoctorView, examine, TreatInput, TreatView, treat } from "#domain/lifecycle";
import { answers, idempotencyKey, optionalBody, secured } from "#surfaces/rest/answers";
import { once } from "#surfaces/rest/idempotent";
import { createRouter } from "#surfaces/rest/router";

const tags = ["doctor"];

export const doctorRoutes = createRouter()
  .openapi(
    createRoute({
      method: "get",
      path: "/v1/doctor",
      tags,
      security: secured,
      summary: "Whether everything that always holds does hold (permission: admin)",
      request: { query: DoctorInput },
      responses: answers(200, DoctorView, "Each invariant, with what breaks it"),
    }),
    async (c) => c.json(await examine(c.var.ctx, c.req.valid("query")), 200),
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/v1/doctor",
      middleware: once(TreatView),
      tags,
      security: secured,
      summary: "Mend what can be mended without a person (permission: admin)",
      request: { headers: idempotencyKey, ...optionalBody(TreatInput) },
      responses: answers(200, TreatView, "What was mended and what needs a person"),
    }),
    async (c) => c.json(await treat(c.var.ctx, c.req.valid("json")), 200),
  );
