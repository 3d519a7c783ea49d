import { checkInvariants, DoctorInput, DoctorView, RepairInput, RepairView, repairInvariants } from "#domain/lifecycle";
import { answers, optionalBody } from "#surfaces/rest/answers";
import { DOCTOR, REPAIR, REPAIRED } from "#surfaces/rest/examples/operations";
import { routesOf } from "#surfaces/rest/route";
import { createRouter } from "#surfaces/rest/router";

const route = routesOf({ tag: "doctor", answersContent: false });

export const doctorRoutes = createRouter()
  .openapi(
    route({
      method: "get",
      path: "/v1/doctor",
      operationId: "doctor.check",
      summary: "Check the stored data",
      description: "Checks invariants, such as that every row is in its index.",
      permission: "admin",
      session: "nowhere",
      request: { query: DoctorInput },
      responses: answers(200, DoctorView, { description: "Each invariant, with its violations", example: DOCTOR }),
    }),
    async (c) => c.json(await checkInvariants(c.var.ctx, c.req.valid("query")), 200),
  )
  .openapi(
    route({
      method: "post",
      path: "/v1/doctor",
      operationId: "doctor.repair",
      summary: "Repair the stored data",
      description: "Repairs violations that need no decision by a person.",
      permission: "admin",
      session: "nowhere",
      replay: RepairView,
      request: optionalBody(RepairInput, REPAIR),
      responses: answers(200, RepairView, { description: "What was repaired and what needs a person", example: REPAIRED }),
    }),
    async (c) => c.json(await repairInvariants(c.var.ctx, c.req.valid("json")), 200),
  );
