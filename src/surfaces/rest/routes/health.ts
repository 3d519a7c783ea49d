import { z } from "@hono/zod-openapi";
import { checkHealth, DeepHealthView } from "#domain/lifecycle";
import { answers } from "#surfaces/rest/answers";
import { HEALTHY, UNHEALTHY } from "#surfaces/rest/examples/operations";
import { routesOf } from "#surfaces/rest/route";
import { createRouter } from "#surfaces/rest/router";

const Health = z.object({ status: z.literal("ok") }).meta({ id: "Health", examples: [{ status: "ok" }] });

const route = routesOf({ tag: "health", answersContent: false });

export const healthRoutes = createRouter()
  .openapi(
    route({
      method: "get",
      path: "/v1/health",
      operationId: "health.get",
      summary: "Check that the service answers",
      description: "Touches neither the database nor any other service. Needs no key.",
      permission: null,
      session: "anywhere",
      responses: answers(200, Health, { description: "The service answers", example: { status: "ok" } }),
    }),
    (c) => c.json({ status: "ok" as const }, 200),
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/health/deep",
      operationId: "health.deep",
      summary: "Check every dependency",
      description: "Stores, indexes, finds and deletes test data, and names each dependency that does not work.",
      permission: "admin",
      session: "nowhere",
      responses: {
        ...answers(200, DeepHealthView, { description: "Everything works", example: HEALTHY }),
        ...answers(503, DeepHealthView, { description: "Something does not work", example: UNHEALTHY }),
      },
    }),
    async (c) => {
      const health = await checkHealth(c.var.ctx);
      return c.json(health, health.working ? 200 : 503);
    },
  );
