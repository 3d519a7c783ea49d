import { readUsage, UsageInput, UsageView } from "#domain/usage";
import { answers } from "#surfaces/rest/answers";
import { USAGE } from "#surfaces/rest/examples/operations";
import { routesOf } from "#surfaces/rest/route";
import { createRouter } from "#surfaces/rest/router";

const route = routesOf({ tag: "usage", answersContent: false });

export const usageRoutes = createRouter().openapi(
  route({
    method: "get",
    path: "/v1/usage",
    operationId: "usage.get",
    summary: "Read the usage",
    description: "Counts of the tenant's usage by day.",
    permission: "read",
    session: "nowhere",
    keysOnly: true,
    request: { query: UsageInput },
    responses: answers(200, UsageView, { description: "The days and their totals", example: USAGE }),
  }),
  async (c) => c.json(await readUsage(c.var.ctx, c.req.valid("query")), 200),
);
