import { LifecycleInput, LifecycleView, RebuildInput, RebuildView, runLifecycle, startRebuild } from "#domain/lifecycle";
import { answers, optionalBody } from "#surfaces/rest/answers";
import { LIFECYCLE, LIFECYCLE_INPUT, REBUILD, REBUILD_INPUT } from "#surfaces/rest/examples/operations";
import { routesOf } from "#surfaces/rest/route";
import { createRouter } from "#surfaces/rest/router";

const route = routesOf({ tag: "lifecycle", answersContent: false });

export const lifecycleRoutes = createRouter()
  .openapi(
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
  )
  .openapi(
    route({
      method: "post",
      path: "/v1/lifecycle/rebuild",
      operationId: "lifecycle.rebuild",
      summary: "Rebuild the indexes",
      description: "Writes the tenant's text index and vectors again from its rows, in jobs, while it serves.",
      permission: "admin",
      session: "nowhere",
      replay: RebuildView,
      request: optionalBody(RebuildInput, REBUILD_INPUT),
      responses: answers(202, RebuildView, { description: "The jobs", example: REBUILD }),
    }),
    async (c) => c.json(await startRebuild(c.var.ctx, c.req.valid("json")), 202),
  );
