import { createRoute, z } from "@hono/zod-openapi";
import { deleteTopic, getTopic, listTopics, saveTopic, TopicInput, TopicKey, TopicListInput, TopicView } from "#domain/facts";
import { answers, body, nothing, pageOf, secured } from "#surfaces/rest/answers";
import { createRouter } from "#surfaces/rest/router";

const tags = ["facts"];
const params = z.object({ key: TopicKey });
const path = "/v1/topics/{key}";

export const topicRoutes = createRouter()
  .openapi(
    createRoute({
      method: "get",
      path: "/v1/topics",
      tags,
      security: secured,
      summary: "The built-in topics and the tenant's own, by key (permission: read)",
      request: { query: TopicListInput },
      responses: answers(200, pageOf(TopicView, "TopicPage"), "A page of topics"),
    }),
    async (c) => c.json(await listTopics(c.var.ctx, c.req.valid("query")), 200),
  )
  .openapi(
    createRoute({
      method: "get",
      path,
      tags,
      security: secured,
      summary: "A topic (permission: read)",
      request: { params },
      responses: answers(200, TopicView, "The topic"),
    }),
    async (c) => c.json(await getTopic(c.var.ctx, c.req.valid("param").key), 200),
  )
  .openapi(
    createRoute({
      method: "put",
      path,
      tags,
      security: secured,
      summary: "Make a topic of the tenant's own, or give it other nouns (permission: admin)",
      request: { params, ...body(TopicInput) },
      responses: {
        ...answers(200, TopicView, "The topic as it is now"),
        ...answers(201, TopicView, "The topic was made"),
      },
    }),
    async (c) => {
      const { topic, created } = await saveTopic(c.var.ctx, c.req.valid("param").key, c.req.valid("json"));
      return c.json(topic, created ? 201 : 200);
    },
  )
  .openapi(
    createRoute({
      method: "delete",
      path,
      tags,
      security: secured,
      summary: "Take a topic of the tenant's own away; facts under its key stay (permission: admin)",
      request: { params },
      responses: nothing,
    }),
    async (c) => {
      await deleteTopic(c.var.ctx, c.req.valid("param").key);
      return c.body(null, 204);
    },
  );
