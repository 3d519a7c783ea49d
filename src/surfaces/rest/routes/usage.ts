import { createRoute } from "@hono/zod-openapi";
import { readUsage, UsageInput, UsageView } from "#domain/usage";
import { answers, secured } from "#surfaces/rest/answers";
import { createRouter } from "#surfaces/rest/router";

export const usageRoutes = createRouter().openapi(
  createRoute({
    method: "get",
    path: "/v1/usage",
    tags: ["usage"],
    security: secured,
    summary: "What the tenant used, by day, in counts (permission: read)",
    request: { query: UsageInput },
    responses: answers(200, UsageView, "The days and their totals"),
  }),
  async (c) => c.json(await readUsage(c.var.ctx, c.req.valid("query")), 200),
);
