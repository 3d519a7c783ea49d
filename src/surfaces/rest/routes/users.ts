import { createRoute, z } from "@hono/zod-openapi";
import { ExternalId } from "#core/fields";
import { getUser, saveUser, UserInput, UserView } from "#domain/tenants";
import { answers, optionalBody, secured } from "#surfaces/rest/answers";
import { createRouter } from "#surfaces/rest/router";

const tags = ["users"];
const params = z.object({ userId: ExternalId });

export const userRoutes = createRouter()
  .openapi(
    createRoute({
      method: "put",
      path: "/v1/users/{userId}",
      tags,
      security: secured,
      summary: "Make a user, or change its name; users are also made by what names them first (permission: write)",
      request: { params, ...optionalBody(UserInput) },
      responses: answers(200, UserView, "The user"),
    }),
    async (c) => c.json(await saveUser(c.var.ctx, c.req.valid("param").userId, c.req.valid("json")), 200),
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/v1/users/{userId}",
      tags,
      security: secured,
      summary: "One user (permission: read)",
      request: { params },
      responses: answers(200, UserView, "The user"),
    }),
    async (c) => c.json(await getUser(c.var.ctx, c.req.valid("param").userId), 200),
  );
