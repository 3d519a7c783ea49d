import { createRoute, z } from "@hono/zod-openapi";
import { checkHealth, DeepHealthView } from "#domain/lifecycle";
import { answers, secured } from "#surfaces/rest/answers";
import { createRouter } from "#surfaces/rest/router";

const Health = z.object({ status: z.literal("ok") }).meta({ id: "Health" });

export const openHealthRoutes = createRouter().openapi(
  createRoute({
    method: "get",
    path: "/v1/health",
    tags: ["health"],
    summary: "Whether the service answers; open, and touches nothing",
    responses: { 200: { description: "It does", content: { "application/json": { schema: Health } } } },
  }),
  (c) => c.json({ status: "ok" as const }, 200),
);

export const healthRoutes = createRouter().openapi(
  createRoute({
    method: "get",
    path: "/v1/health/deep",
    tags: ["health"],
    summary: "Stores, indexes, finds and deletes something of its own, and tells which dependency is ill (permission: admin)",
    security: secured,
    responses: { ...answers(200, DeepHealthView, "Everything works"), ...answers(503, DeepHealthView, "Something does not") },
  }),
  async (c) => {
    const health = await checkHealth(c.var.ctx);
    return c.json(health, health.working ? 200 : 503);
  },
);
