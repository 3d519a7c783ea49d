import { LifecycleInput, LifecycleView, runLifecycle } from "#domain/lifecycle";
import { answers, optionalBody } from "#surfaces/rest/answers";
import { LIFECYCLE, LIFECYCLE_INPUT } from "#surfaces/rest/examples/operations";
import { routesOf } from "#surfaces/rest/route";
import { createRouter } from "#surfaces/rest/router";

const route = routesOf({ tag: "lifecycle", answersContent: false });

export const lifecycleRoutes = createRouter().openapi(
  route({
    method: "post",
    path: "/v1/lifecycle",
    operationId: "lifecycle.run",
    summary: "Run upkeep now",
    description: "Runs upkeep tasks, or with `dryRun` shows what they would do.",
    permission: "admin",
    session: "nowhere",
    replay: LifecycleView,
    request: optionalBody(LifecycleInput, LIFECYCLE_INPUT),
    responses: answers(200, LifecycleView, { description: "What each task did", example: LIFECYCLE }),
  }),
  async (c) => c.json(await runLifecycle(c.var.ctx, c.req.valid("json")), 200),
);
