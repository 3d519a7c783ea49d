import { z } from "@hono/zod-openapi";
import { issueKey, KeyInput, KeyView, listKeys, NewKeyView, revokeKey } from "#domain/tenants";
import { answers, body, nothing, page, pageOf, pageQuery } from "#surfaces/rest/answers";
import { KEY, KEY_INPUT, NEW_KEY } from "#surfaces/rest/examples/operations";
import { routesOf } from "#surfaces/rest/route";
import { createRouter } from "#surfaces/rest/router";

const route = routesOf({ tag: "keys", answersContent: false });

export const keyRoutes = createRouter()
  .openapi(
    route({
      method: "post",
      path: "/v1/keys",
      operationId: "keys.create",
      summary: "Issue a key",
      description: "The key is in this answer and nowhere else.",
      permission: "admin",
      session: "nowhere",
      replay: "nothing",
      request: body(KeyInput, KEY_INPUT),
      responses: answers(201, NewKeyView, { description: "The key", example: NEW_KEY }),
    }),
    async (c) => c.json(await issueKey(c.var.ctx, c.req.valid("json")), 201),
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/keys",
      operationId: "keys.list",
      summary: "List keys",
      description: "Newest first. The keys themselves are never shown again.",
      permission: "admin",
      session: "nowhere",
      request: { query: pageQuery },
      responses: answers(200, pageOf(KeyView, "KeyPage"), { description: "A page of keys", example: page(KEY) }),
    }),
    async (c) => c.json(await listKeys(c.var.ctx, c.req.valid("query")), 200),
  )
  .openapi(
    route({
      method: "delete",
      path: "/v1/keys/{keyId}",
      operationId: "keys.revoke",
      summary: "Revoke a key",
      description: "Takes effect everywhere within seconds.",
      permission: "admin",
      session: "nowhere",
      request: { params: z.object({ keyId: z.string().max(80) }) },
      responses: nothing,
    }),
    async (c) => {
      await revokeKey(c.var.ctx, c.req.valid("param").keyId);
      return c.body(null, 204);
    },
  );
