import { createRoute, z } from "@hono/zod-openapi";
import {
  AnswerInput,
  AnswerView,
  AssertedManyView,
  AssertedView,
  AssertInput,
  answerQuestion,
  assertFacts,
  FactListInput,
  FactParams,
  FactPlaceInput,
  FactView,
  getFact,
  listFacts,
  RetractedView,
  RetractInput,
  retractFacts,
} from "#domain/facts";
import { answers, body, idempotencyKey, pageOf, secured } from "#surfaces/rest/answers";
import { once, oneOrMany } from "#surfaces/rest/idempotent";
import { createRouter } from "#surfaces/rest/router";

const tags = ["facts"];
const asserted = z.union([AssertedView, AssertedManyView]);

/** Without topics, which are words of the user: the items are in the order of the request. */
const KeptAsserted = oneOrMany(AssertedView.pick({ kind: true, rank: true, written: true }));

export const factRoutes = createRouter()
  .openapi(
    createRoute({
      method: "post",
      path: "/v1/facts",
      middleware: once(KeptAsserted),
      tags,
      security: secured,
      summary: "Store a fact, or up to 100 of one place; what is newer wins (permission: write)",
      request: { headers: idempotencyKey, ...body(AssertInput) },
      responses: {
        ...answers(200, asserted, "Nothing was written: something newer is there"),
        ...answers(201, asserted, "At least one was written"),
      },
    }),
    async (c) => {
      const input = c.req.valid("json");
      const items = await assertFacts(c.var.ctx, input);
      const [only] = items;
      const answer = "facts" in input || only === undefined ? { items } : only;
      return c.json(answer, items.some(({ written }) => written) ? 201 : 200);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/v1/facts",
      tags,
      security: secured,
      summary: "The user's facts that may be heard where they stand, by topic and rank (permission: read)",
      request: { query: FactListInput },
      responses: answers(200, pageOf(FactView, "FactPage"), "A page of facts"),
    }),
    async (c) => c.json(await listFacts(c.var.ctx, c.req.valid("query")), 200),
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/v1/facts/{topic}/{rank}",
      tags,
      security: secured,
      summary: "The fact that answers for a rank where the user stands (permission: read)",
      request: { params: FactParams, query: FactPlaceInput },
      responses: answers(200, FactView, "The fact"),
    }),
    async (c) => c.json(await getFact(c.var.ctx, c.req.valid("param"), c.req.valid("query")), 200),
  )
  .openapi(
    createRoute({
      method: "delete",
      path: "/v1/facts",
      tags,
      security: secured,
      summary: "Take away the user's facts of a topic, or one rank, in one place (permission: write)",
      request: { query: RetractInput },
      responses: answers(200, RetractedView, "How many were taken away"),
    }),
    async (c) => c.json(await retractFacts(c.var.ctx, c.req.valid("query")), 200),
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/v1/answer",
      tags,
      security: secured,
      summary: "Answer a question about stored facts without a model, or say that it is none (permission: read)",
      request: body(AnswerInput),
      responses: answers(200, AnswerView, "The answer, or routed: false"),
    }),
    async (c) => c.json(await answerQuestion(c.var.ctx, c.req.valid("json")), 200),
  );
