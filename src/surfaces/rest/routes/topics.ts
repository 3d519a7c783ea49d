import { z } from "@hono/zod-openapi";
import { deleteTopic, getTopic, listTopics, saveTopic, TopicInput, TopicKey, TopicListInput, TopicView } from "#domain/facts";
import { answers, body, nothing, page, pageOf } from "#surfaces/rest/answers";
import { TOPIC, TOPIC_INPUT } from "#surfaces/rest/examples/knowledge";
import { routesOf } from "#surfaces/rest/route";
import { createRouter } from "#surfaces/rest/router";

const route = routesOf({ tag: "topics", answersContent: false });
const params = z.object({ key: TopicKey });
const path = "/v1/topics/{key}";

export const topicRoutes = createRouter()
  .openapi(
    route({
      method: "get",
      path: "/v1/topics",
      operationId: "topics.list",
      summary: "List topics",
      description: "The built-in topics and the tenant's own, by key.",
      permission: "read",
      session: "anywhere",
      request: { query: TopicListInput },
      responses: answers(200, pageOf(TopicView, "TopicPage"), { description: "A page of topics", example: page(TOPIC) }),
    }),
    async (c) => c.json(await listTopics(c.var.ctx, c.req.valid("query")), 200),
  )
  .openapi(
    route({
      method: "get",
      path,
      operationId: "topics.get",
      summary: "Read a topic",
      description: "A built-in topic or one of the tenant's own.",
      permission: "read",
      session: "anywhere",
      request: { params },
      responses: answers(200, TopicView, { description: "The topic", example: TOPIC }),
    }),
    async (c) => c.json(await getTopic(c.var.ctx, c.req.valid("param").key), 200),
  )
  .openapi(
    route({
      method: "put",
      path,
      operationId: "topics.save",
      summary: "Create a topic or replace its nouns",
      description: "The nouns are the words by which a topic is recognised in what users say.",
      permission: "admin",
      session: "nowhere",
      request: { params, ...body(TopicInput, TOPIC_INPUT) },
      responses: {
        ...answers(200, TopicView, { description: "The topic as it is now", example: TOPIC }),
        ...answers(201, TopicView, { description: "The topic was created", example: TOPIC }),
      },
    }),
    async (c) => {
      const { topic, created } = await saveTopic(c.var.ctx, c.req.valid("param").key, c.req.valid("json"));
      return c.json(topic, created ? 201 : 200);
    },
  )
  .openapi(
    route({
      method: "delete",
      path,
      operationId: "topics.delete",
      summary: "Delete a topic",
      description: "Deletes a topic of the tenant. Facts under its key are kept.",
      permission: "admin",
      session: "nowhere",
      request: { params },
      responses: nothing,
    }),
    async (c) => {
      await deleteTopic(c.var.ctx, c.req.valid("param").key);
      return c.body(null, 204);
    },
  );
