import { createRoute, z } from "@hono/zod-openapi";
import {
  ApproveInput,
  approve,
  forget,
  getMemory,
  HistoryView,
  listMemories,
  listReview,
  MemoryListInput,
  MemoryPageView,
  MemoryPlaceInput,
  MemoryView,
  memoryHistory,
  RejectInput,
  RememberedManyView,
  RememberedView,
  RememberInput,
  ReviewedView,
  ReviewInput,
  ReviewListInput,
  ReviseInput,
  reject,
  remember,
  restore,
  review,
  revise,
  WriterPlaceInput,
} from "#domain/memories";
import { answers, body, idempotencyKey, nothing, optionalBody, outdated, secured } from "#surfaces/rest/answers";
import { etagOf, ifMatch, versionsIn } from "#surfaces/rest/etag";
import { once, oneOrMany } from "#surfaces/rest/idempotent";
import { createRouter } from "#surfaces/rest/router";

const tags = ["memories"];
const params = z.object({ memoryId: z.string().max(80) });
const one = "/v1/memories/{memoryId}";
const remembered = z.union([RememberedView, RememberedManyView]);

const KeptMemory = MemoryView.pick({ id: true, version: true, status: true });
const KeptRemembered = oneOrMany(RememberedView.pick({ id: true, created: true, version: true }));
const KeptReview = z.object({ items: z.array(ReviewedView.shape.items.element.pick({ id: true, outcome: true })) });

export const memoryRoutes = createRouter()
  .openapi(
    createRoute({
      method: "post",
      path: "/v1/memories",
      middleware: once(KeptRemembered),
      tags,
      security: secured,
      summary: "Remember something, or up to 100 things in one batch (permission: write)",
      request: { headers: idempotencyKey, ...body(RememberInput) },
      responses: {
        ...answers(200, remembered, "It was there already: said again, or changed by its key"),
        ...answers(201, remembered, "At least one is new"),
      },
    }),
    async (c) => {
      const input = c.req.valid("json");
      const items = await remember(c.var.ctx, input);
      const [only] = items;
      const answer = "memories" in input || only === undefined ? { items } : only;
      return c.json(answer, items.some((item) => item.created) ? 201 : 200);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/v1/memories",
      tags,
      security: secured,
      summary: "Memories that the viewer may hear, newest first (permission: read)",
      request: { query: MemoryListInput },
      responses: answers(200, MemoryPageView, "A page of memories"),
    }),
    async (c) => c.json(await listMemories(c.var.ctx, c.req.valid("query")), 200),
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/v1/memories/review",
      tags,
      security: secured,
      summary: "What waits for a person, newest first; the whole tenant's with admin (permission: read)",
      request: { query: ReviewListInput },
      responses: answers(200, MemoryPageView, "A page of memories"),
    }),
    async (c) => c.json(await listReview(c.var.ctx, c.req.valid("query")), 200),
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/v1/memories/review",
      middleware: once(KeptReview),
      tags,
      security: secured,
      summary: "Approve, edit or reject up to 50 memories, as their owner or with the permission admin (permission: write)",
      request: { headers: idempotencyKey, ...body(ReviewInput) },
      responses: answers(200, ReviewedView, "What became of each"),
    }),
    async (c) => c.json(await review(c.var.ctx, c.req.valid("json")), 200),
  )
  .openapi(
    createRoute({
      method: "get",
      path: one,
      tags,
      security: secured,
      summary: "One memory (permission: read)",
      request: { params, query: MemoryPlaceInput },
      responses: answers(200, MemoryView, "The memory; the ETag is its version"),
    }),
    async (c) => {
      const memory = await getMemory(c.var.ctx, c.req.valid("param").memoryId, c.req.valid("query"));
      return c.json(memory, 200, { etag: etagOf(memory) });
    },
  )
  .openapi(
    createRoute({
      method: "patch",
      path: one,
      tags,
      security: secured,
      summary: "Change a memory, as its owner or who takes part in its group; the old version is kept (permission: write)",
      request: { params, query: WriterPlaceInput, headers: ifMatch, ...optionalBody(ReviseInput) },
      responses: { ...answers(200, MemoryView, "The memory as it is now"), ...outdated },
    }),
    async (c) => {
      const named = {
        memoryId: c.req.valid("param").memoryId,
        versions: versionsIn(c.req.valid("header")),
        place: c.req.valid("query"),
      };
      const memory = await revise(c.var.ctx, named, c.req.valid("json"));
      return c.json(memory, 200, { etag: etagOf(memory) });
    },
  )
  .openapi(
    createRoute({
      method: "delete",
      path: one,
      tags,
      security: secured,
      summary: "Forget a memory, as its owner or who takes part in its group (permission: write)",
      request: { params, query: WriterPlaceInput },
      responses: nothing,
    }),
    async (c) => {
      await forget(c.var.ctx, c.req.valid("param").memoryId, c.req.valid("query"));
      return c.body(null, 204);
    },
  )
  .openapi(
    createRoute({
      method: "post",
      path: `${one}/restore`,
      middleware: once(z.never()),
      tags,
      security: secured,
      summary: "Bring a forgotten memory back, until it is purged (permission: write)",
      request: { params, query: WriterPlaceInput, headers: idempotencyKey },
      responses: nothing,
    }),
    async (c) => {
      await restore(c.var.ctx, c.req.valid("param").memoryId, c.req.valid("query"));
      return c.body(null, 204);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: `${one}/history`,
      tags,
      security: secured,
      summary: "What a memory said before, and what it replaced (permission: read)",
      request: { params, query: MemoryPlaceInput },
      responses: answers(200, HistoryView, "The memory and its past"),
    }),
    async (c) => c.json(await memoryHistory(c.var.ctx, c.req.valid("param").memoryId, c.req.valid("query")), 200),
  )
  .openapi(
    createRoute({
      method: "post",
      path: `${one}/approve`,
      middleware: once(KeptMemory),
      tags,
      security: secured,
      summary: "Approve a memory that waits, changed first if fields are named, as its owner or with admin (permission: write)",
      request: { params, headers: idempotencyKey, ...optionalBody(ApproveInput) },
      responses: answers(200, MemoryView, "The memory, approved"),
    }),
    async (c) => c.json(await approve(c.var.ctx, c.req.valid("param").memoryId, c.req.valid("json")), 200),
  )
  .openapi(
    createRoute({
      method: "post",
      path: `${one}/reject`,
      middleware: once(KeptMemory),
      tags,
      security: secured,
      summary: "Reject a memory that waits, as its owner or with admin (permission: write)",
      request: { params, headers: idempotencyKey, ...optionalBody(RejectInput) },
      responses: answers(200, MemoryView, "The memory, rejected"),
    }),
    async (c) => c.json(await reject(c.var.ctx, c.req.valid("param").memoryId, c.req.valid("json")), 200),
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/v1/people/{personId}/memories",
      tags: ["people"],
      security: secured,
      summary: "What the viewer may hear about a person, whoever said it (permission: read)",
      request: { params: z.object({ personId: z.string().max(80) }), query: MemoryListInput },
      responses: answers(200, MemoryPageView, "A page of memories"),
    }),
    async (c) => {
      const person = c.req.valid("param").personId;
      return c.json(await listMemories(c.var.ctx, { ...c.req.valid("query"), person }), 200);
    },
  );
