import { z } from "@hono/zod-openapi";
import {
  ForgettingListInput,
  ForgettingView,
  listForgettings,
  UndoForgettingInput,
  UndoneView,
  undoForgetting,
} from "#domain/forgetting";
import { answers, optionalBody, page, pageOf } from "#surfaces/rest/answers";
import { FORGETTING, UNDO, UNDONE } from "#surfaces/rest/examples/memories";
import { routesOf } from "#surfaces/rest/route";
import { createRouter } from "#surfaces/rest/router";

const route = routesOf({ tag: "memories", answersContent: false });

export const forgettingRoutes = createRouter()
  .openapi(
    route({
      method: "get",
      path: "/v1/forgettings",
      operationId: "forgettings.list",
      summary: "List what was forgotten",
      description:
        "What the user asked to be forgotten, in talk or by deleting memories, newest first, as long as it can be undone: counts and times, never the words.",
      permission: "read",
      session: "nowhere",
      request: { query: ForgettingListInput },
      responses: answers(200, pageOf(ForgettingView, "ForgettingPage"), {
        description: "A page of forgettings",
        example: page(FORGETTING),
      }),
    }),
    async (c) => c.json(await listForgettings(c.var.ctx, c.req.valid("query")), 200),
  )
  .openapi(
    route({
      method: "post",
      path: "/v1/forgettings/{forgettingId}/undo",
      operationId: "forgettings.undo",
      summary: "Undo a forgetting",
      description: "Brings back the memories, the words in their places and the values of lists, for 30 days.",
      permission: "write",
      session: "nowhere",
      replay: UndoneView,
      request: { params: z.object({ forgettingId: z.string().max(80) }), ...optionalBody(UndoForgettingInput, UNDO) },
      responses: answers(200, UndoneView, { description: "What is there again", example: UNDONE }),
    }),
    async (c) => c.json(await undoForgetting(c.var.ctx, c.req.valid("param").forgettingId, c.req.valid("json")), 200),
  );
