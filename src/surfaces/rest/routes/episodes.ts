import { createRoute, z } from "@hono/zod-openapi";
import { ExternalId, UserId } from "#core/fields";
import {
  AppendedManyView,
  AppendedView,
  AppendInput,
  appendEpisodes,
  EpisodeView,
  forgetEpisode,
  getEpisode,
  HistoryInput,
  listEpisodes,
  PlaceInput,
} from "#domain/sessions";
import { answers, body, idempotencyKey, nothing, pageOf, secured } from "#surfaces/rest/answers";
import { once } from "#surfaces/rest/idempotent";
import { createRouter } from "#surfaces/rest/router";

const tags = ["episodes"];
const params = z.object({ sessionId: ExternalId });
const episodeParams = z.object({ sessionId: ExternalId, episodeId: z.string().max(80) });
const Appended = z.union([AppendedView, AppendedManyView]);

export const episodeRoutes = createRouter()
  .openapi(
    createRoute({
      method: "post",
      path: "/v1/sessions/{sessionId}/episodes",
      middleware: once(Appended),
      tags,
      security: secured,
      summary: "Store one episode, or up to 100; text is found by the very next search (permission: write)",
      request: { params, headers: idempotencyKey, ...body(AppendInput) },
      responses: { ...answers(201, Appended, "Stored"), ...answers(200, Appended, "Everything was stored before") },
    }),
    async (c) => {
      const input = c.req.valid("json");
      const items = await appendEpisodes(c.var.ctx, c.req.valid("param").sessionId, input);
      const [only] = items;
      const answer = "episodes" in input || only === undefined ? { items } : only;
      return c.json(answer, items.some((item) => item.created) ? 201 : 200);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/v1/sessions/{sessionId}/episodes",
      tags,
      security: secured,
      summary: "A session's history, in the order in which it was stored (permission: read)",
      request: { params, query: HistoryInput },
      responses: answers(200, pageOf(EpisodeView, "EpisodePage"), "A page of episodes"),
    }),
    async (c) => c.json(await listEpisodes(c.var.ctx, c.req.valid("param").sessionId, c.req.valid("query")), 200),
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/v1/sessions/{sessionId}/episodes/{episodeId}",
      tags,
      security: secured,
      summary: "One episode (permission: read)",
      request: { params: episodeParams, query: PlaceInput },
      responses: answers(200, EpisodeView, "The episode"),
    }),
    async (c) => {
      const { sessionId, episodeId } = c.req.valid("param");
      return c.json(await getEpisode(c.var.ctx, { sessionExternalId: sessionId, episodeId }, c.req.valid("query")), 200);
    },
  )
  .openapi(
    createRoute({
      method: "delete",
      path: "/v1/sessions/{sessionId}/episodes/{episodeId}",
      tags,
      security: secured,
      summary: "Delete an episode, as one who takes part in the session (permission: write)",
      request: { params: episodeParams, query: z.strictObject({ userId: UserId.optional() }) },
      responses: nothing,
    }),
    async (c) => {
      const { sessionId, episodeId } = c.req.valid("param");
      await forgetEpisode(c.var.ctx, { sessionExternalId: sessionId, episodeId }, c.req.valid("query"));
      return c.body(null, 204);
    },
  );
