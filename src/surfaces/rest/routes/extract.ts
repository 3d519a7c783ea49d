import { ExtractInput, ExtractView, extract } from "#domain/extraction";
import { answers, body } from "#surfaces/rest/answers";
import { EXTRACT, EXTRACTED } from "#surfaces/rest/examples/conversations";
import { routesOf } from "#surfaces/rest/route";
import { createRouter } from "#surfaces/rest/router";
import { inBody } from "#surfaces/rest/session-place";

const route = routesOf({ tag: "extraction", answersContent: true });

export const extractRoutes = createRouter().openapi(
  route({
    method: "post",
    path: "/v1/extract",
    operationId: "extraction.preview",
    summary: "Preview extraction",
    description: "Shows what would be extracted from messages. Stores nothing.",
    permission: "read",
    session: inBody,
    readOnly: true,
    request: body(ExtractInput, EXTRACT),
    responses: answers(200, ExtractView, {
      description: "Facts, memories, people and entities, with reasons",
      example: EXTRACTED,
    }),
  }),
  async (c) => c.json(await extract(c.var.ctx, c.req.valid("json")), 200),
);
