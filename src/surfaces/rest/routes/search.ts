import { SearchInput, SearchView, search } from "#domain/retrieval";
import { answers, body } from "#surfaces/rest/answers";
import { SEARCH, SEARCH_ANSWER } from "#surfaces/rest/examples/memories";
import { routesOf } from "#surfaces/rest/route";
import { createRouter } from "#surfaces/rest/router";
import { inBody } from "#surfaces/rest/session-place";

const route = routesOf({ tag: "search", answersContent: true });

export const searchRoutes = createRouter().openapi(
  route({
    method: "post",
    path: "/v1/search",
    operationId: "search.query",
    summary: "Search",
    description: "Finds what the user may see in the named session or project, best first.",
    permission: "read",
    session: inBody,
    readOnly: true,
    request: body(SearchInput, SEARCH),
    responses: answers(200, SearchView, { description: "The hits", example: SEARCH_ANSWER }),
  }),
  async (c) => c.json(await search(c.var.ctx, c.req.valid("json")), 200),
);
