import { createRoute } from "@hono/zod-openapi";
import { SearchInput, SearchView, search } from "#domain/retrieval";
import { answers, body, secured } from "#surfaces/rest/answers";
import { createRouter } from "#surfaces/rest/router";

export const searchRoutes = createRouter().openapi(
  createRoute({
    method: "post",
    path: "/v1/search",
    tags: ["search"],
    security: secured,
    summary: "Find what the viewer may hear, best first (permission: read)",
    request: body(SearchInput),
    responses: answers(200, SearchView, "The hits"),
  }),
  async (c) => c.json(await search(c.var.ctx, c.req.valid("json")), 200),
);
