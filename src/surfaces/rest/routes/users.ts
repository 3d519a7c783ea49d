import { z } from "@hono/zod-openapi";
import { ExternalId } from "#core/fields";
import { getProfile, ProfileInput, ProfileView } from "#domain/profile";
import { getUser, saveUser, UserInput, UserView } from "#domain/tenants";
import { answers, optionalBody } from "#surfaces/rest/answers";
import { PROFILE, USER, USER_INPUT } from "#surfaces/rest/examples/conversations";
import { routesOf } from "#surfaces/rest/route";
import { createRouter } from "#surfaces/rest/router";
import { inQuery } from "#surfaces/rest/session-place";

const route = routesOf({ tag: "users", answersContent: true });
const params = z.object({ userId: ExternalId });

export const userRoutes = createRouter()
  .openapi(
    route({
      method: "put",
      path: "/v1/users/{userId}",
      operationId: "users.save",
      summary: "Create or change a user",
      description: "Users are also created by the first request that names them.",
      permission: "write",
      session: "nowhere",
      request: { params, ...optionalBody(UserInput, USER_INPUT) },
      responses: answers(200, UserView, { description: "The user", example: USER }),
    }),
    async (c) => c.json(await saveUser(c.var.ctx, c.req.valid("param").userId, c.req.valid("json")), 200),
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/users/{userId}",
      operationId: "users.get",
      summary: "Read a user",
      description: "By the app's own id.",
      permission: "read",
      session: "nowhere",
      request: { params },
      responses: answers(200, UserView, { description: "The user", example: USER }),
    }),
    async (c) => c.json(await getUser(c.var.ctx, c.req.valid("param").userId), 200),
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/users/{userId}/profile",
      operationId: "users.profile",
      summary: "Read a user's profile",
      description:
        "What is always worth knowing of the user, with sources and what was replaced. It is changed by changing its memories.",
      permission: "read",
      session: inQuery,
      request: { params, query: ProfileInput },
      responses: answers(200, ProfileView, { description: "The profile", example: PROFILE }),
    }),
    async (c) => c.json(await getProfile(c.var.ctx, c.req.valid("param").userId, c.req.valid("query")), 200),
  );
