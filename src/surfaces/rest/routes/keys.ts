import { createRoute, z } from "@hono/zod-openapi";
import { issueKey, KeyInput, KeyView, listKeys, NewKeyView, revokeKey } from "#domain/tenants";
import { answers, body, idempotencyKey, nothing, pageOf, pageQuery, secured } from "#surfaces/rest/answers";
import { once } from "#surfaces/rest/idempotent";
import { createRouter } from "#surfaces/rest/router";

const tags = ["keys"];

export const keyRoutes = createRouter()
  .openapi(
    createRoute({
      method: "post",
      path: "/v1/keys",
      middleware: once("nothing"),
      tags,
      security: secured,
      summary: "Issue a key; it is in this answer and nowhere else (permission: admin)",
      request: { headers: idempotencyKey, ...body(KeyInput) },
      responses: answers(201, NewKeyView, "The key"),
    }),
    async (c) => c.json(await issueKey(c.var.ctx, c.req.valid("json")), 201),
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/v1/keys",
      tags,
      security: secured,
      summary: "List keys, newest first (permission: admin)",
      request: { query: pageQuery },
      responses: answers(200, pageOf(KeyView, "KeyPage"), "A page of keys"),
    }),
    async (c) => c.json(await listKeys(c.var.ctx, c.req.valid("query")), 200),
  )
  .openapi(
    createRoute({
      method: "delete",
      path: "/v1/keys/{keyId}",
      tags,
      security: secured,
      summary: "Revoke a key, everywhere within seconds (permission: admin)",
      request: { params: z.object({ keyId: z.string().max(80) }) },
      responses: nothing,
    }),
    async (c) => {
      await revokeKey(c.var.ctx, c.req.valid("param").keyId);
      return c.body(null, 204);
    },
  );
