import { z } from "@hono/zod-openapi";
import { ExternalId } from "#core/fields";
import { getSession, listSessions, PlaceInput, SessionInput, SessionListInput, SessionView, saveSession } from "#domain/sessions";
import { answers, optionalBody, page, pageOf } from "#surfaces/rest/answers";
import { SESSION, SESSION_INPUT } from "#surfaces/rest/examples/conversations";
import { routesOf } from "#surfaces/rest/route";
import { createRouter } from "#surfaces/rest/router";
import { inPath } from "#surfaces/rest/session-place";

const route = routesOf({ tag: "sessions", answersContent: true });
const params = z.object({ sessionId: ExternalId });

export const sessionRoutes = createRouter()
  .openapi(
    route({
      method: "put",
      path: "/v1/sessions/{sessionId}",
      operationId: "sessions.save",
      summary: "Create or change a session",
      description: "Also moves a session between projects, and changes who takes part in a group.",
      permission: "write",
      session: "nowhere",
      request: { params, ...optionalBody(SessionInput, SESSION_INPUT) },
      responses: {
        ...answers(200, SessionView, { description: "The session as it is now", example: SESSION }),
        ...answers(201, SessionView, { description: "The session was created", example: SESSION }),
      },
    }),
    async (c) => {
      const { session, created } = await saveSession(c.var.ctx, c.req.valid("param").sessionId, c.req.valid("json"));
      return c.json(session, created ? 201 : 200);
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/sessions/{sessionId}",
      operationId: "sessions.get",
      summary: "Read a session",
      description: "A session that the user takes part in, or one of a project that they belong to.",
      permission: "read",
      session: inPath,
      request: { params, query: PlaceInput },
      responses: answers(200, SessionView, { description: "The session", example: SESSION }),
    }),
    async (c) => c.json(await getSession(c.var.ctx, c.req.valid("param").sessionId, c.req.valid("query")), 200),
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/sessions",
      operationId: "sessions.list",
      summary: "List sessions",
      description: "The sessions of the user, or of a project, newest first.",
      permission: "read",
      session: "nowhere",
      request: { query: SessionListInput },
      responses: answers(200, pageOf(SessionView, "SessionPage"), { description: "A page of sessions", example: page(SESSION) }),
    }),
    async (c) => c.json(await listSessions(c.var.ctx, c.req.valid("query")), 200),
  );
