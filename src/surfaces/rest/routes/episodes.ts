import { z } from "@hono/zod-openapi";
import { ExternalId } from "#core/fields";
import { appendAndForget } from "#domain/forgetting";
import {
  AppendedManyView,
  AppendedView,
  AppendInput,
  EpisodeView,
  forgetEpisode,
  getEpisode,
  HistoryInput,
  listEpisodes,
  PlaceInput,
} from "#domain/sessions";
import { answers, body, nothing, optionalBody, page, pageOf } from "#surfaces/rest/answers";
import { AsUser, USER_IN_BODY, withUser } from "#surfaces/rest/as-user";
import { APPEND, APPENDED, APPENDED_BEFORE, EPISODE } from "#surfaces/rest/examples/conversations";
import { routesOf } from "#surfaces/rest/route";
import { createRouter } from "#surfaces/rest/router";
import { inPath } from "#surfaces/rest/session-place";

const route = routesOf({ tag: "episodes", answersContent: true });
const params = z.object({ sessionId: ExternalId });
const episodeParams = z.object({ sessionId: ExternalId, episodeId: z.string().max(80) });
const Appended = z.union([AppendedView, AppendedManyView]);

export const episodeRoutes = createRouter()
  .openapi(
    route({
      method: "post",
      path: "/v1/sessions/{sessionId}/episodes",
      operationId: "episodes.append",
      summary: "Store messages",
      description:
        "Stores one episode, or up to 100. The very next search finds them by their words. The session and the user are created if they do not exist. What a message explicitly asks to be forgotten is hidden before the answer, which says so in `forgot`.",
      permission: "write",
      session: inPath,
      replay: Appended,
      request: { params, ...body(AppendInput, APPEND) },
      responses: {
        ...answers(201, Appended, { description: "Stored", example: APPENDED }),
        ...answers(200, Appended, { description: "Everything was stored before", example: APPENDED_BEFORE }),
      },
    }),
    async (c) => {
      const input = c.req.valid("json");
      const items = await appendAndForget(c.var.ctx, c.req.valid("param").sessionId, input);
      const [only] = items;
      const answer = "episodes" in input || only === undefined ? { items } : only;
      return c.json(answer, items.some((item) => item.created) ? 201 : 200);
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/sessions/{sessionId}/episodes",
      operationId: "episodes.list",
      summary: "Read the history of a session",
      description: "Episodes in the order in which they were stored.",
      permission: "read",
      session: inPath,
      request: { params, query: HistoryInput },
      responses: answers(200, pageOf(EpisodeView, "EpisodePage"), { description: "A page of episodes", example: page(EPISODE) }),
    }),
    async (c) => c.json(await listEpisodes(c.var.ctx, c.req.valid("param").sessionId, c.req.valid("query")), 200),
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/sessions/{sessionId}/episodes/{episodeId}",
      operationId: "episodes.get",
      summary: "Read an episode",
      description: "An episode with its messages.",
      permission: "read",
      session: inPath,
      request: { params: episodeParams, query: PlaceInput },
      responses: answers(200, EpisodeView, { description: "The episode", example: EPISODE }),
    }),
    async (c) => {
      const { sessionId, episodeId } = c.req.valid("param");
      return c.json(await getEpisode(c.var.ctx, { sessionExternalId: sessionId, episodeId }, c.req.valid("query")), 200);
    },
  )
  .openapi(
    route({
      method: "delete",
      path: "/v1/sessions/{sessionId}/episodes/{episodeId}",
      operationId: "episodes.delete",
      summary: "Delete an episode",
      description: "The user must take part in the session.",
      permission: "write",
      session: inPath,
      request: { params: episodeParams, query: AsUser, ...optionalBody(AsUser, USER_IN_BODY) },
      responses: nothing,
    }),
    async (c) => {
      const { sessionId, episodeId } = c.req.valid("param");
      const acting = withUser(c.var.ctx, c.req.valid("query"), c.req.valid("json"));
      await forgetEpisode(c.var.ctx, { sessionExternalId: sessionId, episodeId }, acting);
      return c.body(null, 204);
    },
  );
