import { createRoute } from "@hono/zod-openapi";
import { ExtractInput, ExtractView, extract } from "#domain/extraction";
import { answers, body, secured } from "#surfaces/rest/answers";
import { createRouter } from "#surfaces/rest/router";

export const extractRoutes = createRouter().openapi(
  createRoute({
    method: "post",
    path: "/v1/extract",
    tags: ["extraction"],
    security: secured,
    summary: "What would be stored of messages; stores nothing (permission: read)",
    request: body(ExtractInput),
    responses: answers(200, ExtractView, "Facts, memories, people and entities, with reasons"),
  }),
  async (c) => c.json(await extract(c.var.ctx, c.req.valid("json")), 200),
);
