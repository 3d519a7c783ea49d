import { z } from "@hono/zod-openapi";
import { ExternalId } from "#core/fields";
import {
  ErasureInput,
  ErasureListInput,
  ErasureOptions,
  ErasureSummary,
  ErasureView,
  getErasure,
  listErasures,
  startErasure,
  VerifiedView,
  verifyErasure,
} from "#domain/erasures";
import { answers, body, page, pageOf } from "#surfaces/rest/answers";
import {
  ERASURE,
  ERASURE_DRY_RUN,
  ERASURE_INPUT,
  ERASURE_STARTED,
  ERASURE_SUMMARY,
  ERASURE_VERIFIED,
} from "#surfaces/rest/examples/erasures";
import { routesOf } from "#surfaces/rest/route";
import { createRouter } from "#surfaces/rest/router";

const route = routesOf({ tag: "erasures", answersContent: false });
const params = z.object({ erasureId: z.string().max(80) });
const query = ErasureOptions;

/** Of a request that starts an erasure, or counts what it would erase. */
const started = {
  ...answers(200, ErasureView, { description: "Of a dry run: what would be erased, by store", example: ERASURE_DRY_RUN }),
  ...answers(202, ErasureView, {
    description: "The erasure, which runs from now on; or the one of the same that runs already",
    example: ERASURE_STARTED,
  }),
};

function statusOf({ dryRun }: ErasureView): 200 | 202 {
  return dryRun ? 200 : 202;
}

export const erasureRoutes = createRouter()
  .openapi(
    route({
      method: "post",
      path: "/v1/erasures",
      operationId: "erasures.start",
      summary: "Erase a user, a session, a project or a source",
      description:
        "Starts a job that erases it from every store, and ends with a signed receipt. With `dryRun` it counts. A user is erased with the permission `admin` only.",
      permission: "write",
      session: "nowhere",
      replay: ErasureView.pick({ id: true, kind: true, status: true, dryRun: true }),
      request: body(ErasureInput, ERASURE_INPUT),
      responses: started,
    }),
    async (c) => {
      const erasure = await startErasure(c.var.ctx, c.req.valid("json"));
      return c.json(erasure, statusOf(erasure));
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/erasures",
      operationId: "erasures.list",
      summary: "List erasures",
      description: "The tenant's erasures, newest first, without their receipts.",
      permission: "admin",
      session: "nowhere",
      request: { query: ErasureListInput },
      responses: answers(200, pageOf(ErasureSummary, "ErasurePage"), {
        description: "A page of erasures",
        example: page(ERASURE_SUMMARY),
      }),
    }),
    async (c) => c.json(await listErasures(c.var.ctx, c.req.valid("query")), 200),
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/erasures/{erasureId}",
      operationId: "erasures.get",
      summary: "Read an erasure",
      description: "How far it has come, and when it has ended its receipt.",
      permission: "read",
      session: "nowhere",
      keysOnly: true,
      request: { params },
      responses: answers(200, ErasureView, { description: "The erasure", example: ERASURE }),
    }),
    async (c) => c.json(await getErasure(c.var.ctx, c.req.valid("param").erasureId), 200),
  )
  .openapi(
    route({
      method: "post",
      path: "/v1/erasures/{erasureId}/verify",
      operationId: "erasures.verify",
      summary: "Verify a receipt",
      description: "Checks the signature and the audit log, and counts again in every store what is left now.",
      permission: "read",
      session: "nowhere",
      keysOnly: true,
      readOnly: true,
      request: { params },
      responses: answers(200, VerifiedView, { description: "What holds", example: ERASURE_VERIFIED }),
    }),
    async (c) => c.json(await verifyErasure(c.var.ctx, c.req.valid("param").erasureId), 200),
  )
  .openapi(
    route({
      method: "delete",
      path: "/v1/users/{userId}",
      operationId: "users.erase",
      summary: "Erase a user",
      description: "The same as POST /v1/erasures of the kind `user`.",
      permission: "admin",
      session: "nowhere",
      request: { params: z.object({ userId: ExternalId }), query: query.omit({ userId: true }) },
      responses: started,
    }),
    async (c) => {
      const erasure = await startErasure(c.var.ctx, { kind: "user", id: c.req.valid("param").userId, ...c.req.valid("query") });
      return c.json(erasure, statusOf(erasure));
    },
  )
  .openapi(
    route({
      method: "delete",
      path: "/v1/sessions/{sessionId}",
      operationId: "sessions.erase",
      summary: "Erase a session",
      description:
        "The same as POST /v1/erasures of the kind `session`: for the user of a private session; a group of several needs a key with `admin`.",
      permission: "write",
      session: "nowhere",
      request: { params: z.object({ sessionId: ExternalId }), query: query.omit({ aboutOthers: true }) },
      responses: started,
    }),
    async (c) => {
      const erasure = await startErasure(c.var.ctx, {
        kind: "session",
        id: c.req.valid("param").sessionId,
        ...c.req.valid("query"),
      });
      return c.json(erasure, statusOf(erasure));
    },
  )
  .openapi(
    route({
      method: "delete",
      path: "/v1/projects/{projectId}",
      operationId: "projects.erase",
      summary: "Erase a project",
      description: "The same as POST /v1/erasures of the kind `project`: for its owner. Its sessions leave it and stay.",
      permission: "write",
      session: "nowhere",
      request: { params: z.object({ projectId: ExternalId }), query: query.omit({ aboutOthers: true }) },
      responses: started,
    }),
    async (c) => {
      const erasure = await startErasure(c.var.ctx, {
        kind: "project",
        id: c.req.valid("param").projectId,
        ...c.req.valid("query"),
      });
      return c.json(erasure, statusOf(erasure));
    },
  )
  .openapi(
    route({
      method: "delete",
      path: "/v1/sources/{sourceId}",
      operationId: "sources.erase",
      summary: "Erase a source",
      description:
        "The same as POST /v1/erasures of the kind `source`: for the owner of its project; the library's with the permission `admin`.",
      permission: "write",
      session: "nowhere",
      request: { params: z.object({ sourceId: ExternalId }), query: query.omit({ aboutOthers: true }) },
      responses: started,
    }),
    async (c) => {
      const erasure = await startErasure(c.var.ctx, {
        kind: "source",
        id: c.req.valid("param").sourceId,
        ...c.req.valid("query"),
      });
      return c.json(erasure, statusOf(erasure));
    },
  );
