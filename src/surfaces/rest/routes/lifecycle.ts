import { createRoute } from "@hono/zod-openapi";
import { LifecycleInput, LifecycleView, runLifecycle } from "#domain/lifecycle";
import { answers, idempotencyKey, optionalBody, secured } from "#surfaces/rest/answers";
import { once } from "#surfaces/rest/idempotent";
import { createRouter } from "#surfaces/rest/router";

export const lifecycleRoutes = createRouter().openapi(
  createRoute({
    method: "post",
    path: "/v1/lifecycle",
    middleware: once(LifecycleView),
    tags: ["lifecycle"],
    security: secured,
    summary: "Run tasks of upkeep now, or tell what they would do (permission: admin)",
    request: { headers: idempotencyKey, ...optionalBody(LifecycleInput) },
    responses: answers(200, LifecycleView, "What each task did"),
  }),
  async (c) => c.json(await runLifecycle(c.var.ctx, c.req.valid("json")), 200),
);
