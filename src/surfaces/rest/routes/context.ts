import { createRoute } from "@hono/zod-openapi";
import { answerContext, ContextInput, ContextView } from "#domain/injection";
import { answers, body, secured } from "#surfaces/rest/answers";
import { createRouter } from "#surfaces/rest/router";

export const contextRoutes = createRouter().openapi(
  createRoute({
    method: "post",
    path: "/v1/context",
    tags: ["context"],
    security: secured,
    summary: "What is worth knowing before the next reply, as a block to put before the conversation (permission: read)",
    request: body(ContextInput),
    responses: answers(200, ContextView, "The block and its items"),
  }),
  async (c) => c.json(await answerContext(c.var.ctx, c.req.valid("json")), 200),
);
