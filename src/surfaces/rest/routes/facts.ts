import { z } from "@hono/zod-openapi";
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
import { answers, body, optionalBody, page, pageOf } from "#surfaces/rest/answers";
import { AsUser, USER_IN_BODY, withUser } from "#surfaces/rest/as-user";
import { ANSWER, FACT, FACT_ADDED, FACT_INPUT, FACT_OLDER, QUESTION, RETRACTED } from "#surfaces/rest/examples/knowledge";
import { oneOrMany } from "#surfaces/rest/idempotent";
import { routesOf } from "#surfaces/rest/route";
import { createRouter } from "#surfaces/rest/router";
import { inBody, inQuery } from "#surfaces/rest/session-place";

const route = routesOf({ tag: "facts", answersContent: true });
const asserted = z.union([AssertedView, AssertedManyView]);

/** Without topics, which are the user's words; the items are in the order of the request. */
const KeptAsserted = oneOrMany(AssertedView.pick({ kind: true, rank: true, written: true }));

export const factRoutes = createRouter()
  .openapi(
    route({
      method: "post",
      path: "/v1/facts",
      operationId: "facts.add",
      summary: "Add facts",
      description: "Stores one fact, or up to 100 in one place. The newer value of a rank wins.",
      permission: "write",
      session: inBody,
      replay: KeptAsserted,
      request: body(AssertInput, FACT_INPUT),
      responses: {
        ...answers(200, asserted, { description: "Nothing was written: newer values are stored", example: FACT_OLDER }),
        ...answers(201, asserted, { description: "At least one was written", example: FACT_ADDED }),
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
    route({
      method: "get",
      path: "/v1/facts",
      operationId: "facts.list",
      summary: "List facts",
      description: "The user's facts that are visible in the named session or project, by topic and rank.",
      permission: "read",
      session: inQuery,
      request: { query: FactListInput },
      responses: answers(200, pageOf(FactView, "FactPage"), { description: "A page of facts", example: page(FACT) }),
    }),
    async (c) => c.json(await listFacts(c.var.ctx, c.req.valid("query")), 200),
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/facts/{topic}/{rank}",
      operationId: "facts.get",
      summary: "Read a fact",
      description: "The fact of a rank that is visible in the named session or project.",
      permission: "read",
      session: inQuery,
      request: { params: FactParams, query: FactPlaceInput },
      responses: answers(200, FactView, { description: "The fact", example: FACT }),
    }),
    async (c) => c.json(await getFact(c.var.ctx, c.req.valid("param"), c.req.valid("query")), 200),
  )
  .openapi(
    route({
      method: "delete",
      path: "/v1/facts",
      operationId: "facts.delete",
      summary: "Delete facts",
      description: "The user's facts of a topic, or one rank, in one place.",
      permission: "write",
      session: inQuery,
      request: { query: RetractInput, ...optionalBody(AsUser, USER_IN_BODY) },
      responses: answers(200, RetractedView, { description: "How many facts were removed", example: RETRACTED }),
    }),
    async (c) => c.json(await retractFacts(c.var.ctx, withUser(c.var.ctx, c.req.valid("query"), c.req.valid("json"))), 200),
  )
  .openapi(
    route({
      method: "post",
      path: "/v1/answer",
      operationId: "facts.answer",
      summary: "Answer a question from facts",
      description: "Answers without a model. `routed` is false if it is not a question about facts.",
      permission: "read",
      session: inBody,
      readOnly: true,
      request: body(AnswerInput, QUESTION),
      responses: answers(200, AnswerView, { description: "The answer, or routed: false", example: ANSWER }),
    }),
    async (c) => c.json(await answerQuestion(c.var.ctx, c.req.valid("json")), 200),
  );
