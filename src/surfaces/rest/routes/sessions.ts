import { createRoute, z } from "@hono/zod-openapi";
import { ExternalId } from "#core/fields";
import { getSession, listSessions, PlaceInput, SessionInput, SessionListInput, SessionView, saveSession } from "#domain/sessions";
import { answers, optionalBody, pageOf, secured } from "#surfaces/rest/answers";
import { createRouter } from "#surfaces/rest/router";

const tags = ["sessions"];
const params = z.object({ sessionId: ExternalId });

export const sessionRoutes = createRouter()
  .openapi(
    createRoute({
      method: "put",
      path: "/v1/sessions/{sessionId}",
      tags,
      security: secured,
      summary: "Make a session, move it between projects, or change who takes part (permission: write)",
      request: { params, ...optionalBody(SessionInput) },
      responses: {
        ...answers(200, SessionView, "The session as it is now"),
        ...answers(201, SessionView, "The session was made"),
      },
    }),
    async (c) => {
      const { session, created } = await saveSession(c.var.ctx, c.req.valid("param").sessionId, c.req.valid("json"));
      return c.json(session, created ? 201 : 200);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/v1/sessions/{sessionId}",
      tags,
      security: secured,
      summary: "One session (permission: read)",
      request: { params, query: PlaceInput },
      responses: answers(200, SessionView, "The session"),
    }),
    async (c) => c.json(await getSession(c.var.ctx, c.req.valid("param").sessionId, c.req.valid("query")), 200),
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/v1/sessions",
      tags,
      security: secured,
      summary: "The user's sessions, or a project's, newest first (permission: read)",
      request: { query: SessionListInput },
      responses: answers(200, pageOf(SessionView, "SessionPage"), "A page of sessions"),
    }),
    async (c) => c.json(await listSessions(c.var.ctx, c.req.valid("query")), 200),
  );
