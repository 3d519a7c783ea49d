import { answerContext, ContextInput, ContextView } from "#domain/injection";
import { answers, body } from "#surfaces/rest/answers";
import { CONTEXT, CONTEXT_REQUEST } from "#surfaces/rest/examples/memories";
import { routesOf } from "#surfaces/rest/route";
import { createRouter } from "#surfaces/rest/router";
import { inBody } from "#surfaces/rest/session-place";

const route = routesOf({ tag: "context", answersContent: true });

export const contextRoutes = createRouter().openapi(
  route({
    method: "post",
    path: "/v1/context",
    operationId: "context.build",
    summary: "Build the context of the next reply",
    description: "The relevant knowledge for the next reply, as a block of text to put before the conversation.",
    permission: "read",
    session: inBody,
    readOnly: true,
    request: body(ContextInput, CONTEXT_REQUEST),
    responses: answers(200, ContextView, { description: "The block and its items", example: CONTEXT }),
  }),
  async (c) => c.json(await answerContext(c.var.ctx, c.req.valid("json")), 200),
);
