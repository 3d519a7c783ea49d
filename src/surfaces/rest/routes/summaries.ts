import { SummarizeInput, SummarizeView, summarize } from "#domain/summaries";
import { answers, body } from "#surfaces/rest/answers";
import { SUMMARIZE, SUMMARIZED } from "#surfaces/rest/examples/conversations";
import { routesOf } from "#surfaces/rest/route";
import { createRouter } from "#surfaces/rest/router";

const route = routesOf({ tag: "sessions", answersContent: false });

export const summaryRoutes = createRouter().openapi(
  route({
    method: "post",
    path: "/v1/summarize",
    operationId: "sessions.summarize",
    summary: "Summarize older episodes",
    description:
      "Writes memories that summarize and cite a session's older episodes, beyond the newest `keepTokens` tokens. The episodes stay until retention takes them.",
    permission: "write",
    session: "nowhere",
    replay: SummarizeView,
    request: body(SummarizeInput, SUMMARIZE),
    responses: answers(200, SummarizeView, { description: "What was summarized, and the tokens saved", example: SUMMARIZED }),
  }),
  async (c) => c.json(await summarize(c.var.ctx, c.req.valid("json")), 200),
);
