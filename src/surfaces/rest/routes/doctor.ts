import { createRoute } from "@hono/zod-openapi";
import { checkInvariants, DoctorInput, DoctorView, RepairInput, RepairView, repairInvariants } from "#domain/lifecycle";
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
    async (c) => c.json(await checkInvariants(c.var.ctx, c.req.valid("query")), 200),
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/v1/doctor",
      middleware: once(RepairView),
      tags,
      security: secured,
      summary: "Repair what can be repaired without a person (permission: admin)",
      request: { headers: idempotencyKey, ...optionalBody(RepairInput) },
      responses: answers(200, RepairView, "What was repaired and what needs a person"),
    }),
    async (c) => c.json(await repairInvariants(c.var.ctx, c.req.valid("json")), 200),
  );
