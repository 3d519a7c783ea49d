import { z } from "@hono/zod-openapi";
import { ForgetInput, ForgottenView, forgetMemory, restoreMemory } from "#domain/forgetting";
import {
  ApproveInput,
  approve,
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
  review,
  revise,
  WriterPlaceInput,
} from "#domain/memories";
import { answers, body, nothing, optionalBody, versioned } from "#surfaces/rest/answers";
import { AsUser, USER_IN_BODY, withUser } from "#surfaces/rest/as-user";
import { etagOf, ifMatch, versionsIn } from "#surfaces/rest/etag";
import {
  APPROVE,
  APPROVED,
  FORGOTTEN,
  HISTORY,
  MEMORY,
  MEMORY_PAGE,
  REJECT,
  REJECTED,
  REMEMBER,
  REMEMBERED,
  REMEMBERED_AGAIN,
  REVIEW,
  REVIEW_PAGE,
  REVIEWED,
  REVISE,
  REVISED,
} from "#surfaces/rest/examples/memories";
import { EMPTY, oneOrMany } from "#surfaces/rest/idempotent";
import { routesOf } from "#surfaces/rest/route";
import { createRouter } from "#surfaces/rest/router";
import { inMemories, inQuery } from "#surfaces/rest/session-place";

const route = routesOf({ tag: "memories", answersContent: true });
const params = z.object({ memoryId: z.string().max(80) });
const one = "/v1/memories/{memoryId}";
const remembered = z.union([RememberedView, RememberedManyView]);

const KeptMemory = MemoryView.pick({ id: true, version: true, status: true });
const KeptRemembered = oneOrMany(RememberedView.pick({ id: true, created: true, version: true }));
const KeptReview = z.object({ items: z.array(ReviewedView.shape.items.element.pick({ id: true, outcome: true })) });

export const memoryRoutes = createRouter()
  .openapi(
    route({
      method: "post",
      path: "/v1/memories",
      operationId: "memories.add",
      summary: "Add memories",
      description:
        "Stores one memory, or up to 100 in one batch: all or none. A memory that is stored already is not stored twice.",
      permission: "write",
      session: inMemories,
      replay: KeptRemembered,
      request: body(RememberInput, REMEMBER),
      responses: {
        ...answers(200, remembered, {
          description: "It existed already: repeated, or changed by its key",
          example: REMEMBERED_AGAIN,
        }),
        ...answers(201, remembered, { description: "At least one is new", example: REMEMBERED }),
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
    route({
      method: "get",
      path: "/v1/memories",
      operationId: "memories.list",
      summary: "List memories",
      description: "The memories that the user may see, newest first.",
      permission: "read",
      session: inQuery,
      request: { query: MemoryListInput },
      responses: answers(200, MemoryPageView, { description: "A page of memories", example: MEMORY_PAGE }),
    }),
    async (c) => c.json(await listMemories(c.var.ctx, c.req.valid("query")), 200),
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/memories/review",
      operationId: "memories.listReview",
      summary: "List memories that wait for review",
      description:
        "The user's memories that wait for review, newest first. With the permission `admin` and no user, those of the whole tenant.",
      permission: "read",
      session: "nowhere",
      request: { query: ReviewListInput },
      responses: answers(200, MemoryPageView, { description: "A page of memories", example: REVIEW_PAGE }),
    }),
    async (c) => c.json(await listReview(c.var.ctx, c.req.valid("query")), 200),
  )
  .openapi(
    route({
      method: "post",
      path: "/v1/memories/review",
      operationId: "memories.review",
      summary: "Review memories",
      description: "Approves, changes or rejects up to 50 memories, for their owner or with the permission `admin`.",
      permission: "write",
      session: "nowhere",
      replay: KeptReview,
      request: body(ReviewInput, REVIEW),
      responses: answers(200, ReviewedView, { description: "The outcome for each memory", example: REVIEWED }),
    }),
    async (c) => c.json(await review(c.var.ctx, c.req.valid("json")), 200),
  )
  .openapi(
    route({
      method: "get",
      path: one,
      operationId: "memories.get",
      summary: "Read a memory",
      description: "A memory that the user may see. The ETag is its version.",
      permission: "read",
      session: inQuery,
      request: { params, query: MemoryPlaceInput },
      responses: versioned(200, MemoryView, { description: "The memory; the ETag is its version", example: MEMORY }),
    }),
    async (c) => {
      const memory = await getMemory(c.var.ctx, c.req.valid("param").memoryId, c.req.valid("query"));
      return c.json(memory, 200, { etag: etagOf(memory) });
    },
  )
  .openapi(
    route({
      method: "patch",
      path: one,
      operationId: "memories.update",
      summary: "Change a memory",
      description: "For its owner, or a participant of its group. The old version is kept in its history.",
      permission: "write",
      session: inQuery,
      request: { params, query: WriterPlaceInput, headers: ifMatch, ...optionalBody(ReviseInput, REVISE) },
      responses: versioned(200, MemoryView, { description: "The memory as it is now", example: REVISED }),
    }),
    async (c) => {
      const { userId, ...change } = c.req.valid("json");
      const named = {
        memoryId: c.req.valid("param").memoryId,
        versions: versionsIn(c.req.valid("header")),
        place: withUser(c.var.ctx, c.req.valid("query"), { userId }),
      };
      const memory = await revise(c.var.ctx, named, change);
      return c.json(memory, 200, { etag: etagOf(memory) });
    },
  )
  .openapi(
    route({
      method: "delete",
      path: one,
      operationId: "memories.delete",
      summary: "Delete a memory",
      description:
        "For its owner, or a participant of its group. The user's own words that it was learned from are redacted, and what else was learned from them goes too. It can be restored for 30 days.",
      permission: "write",
      session: inQuery,
      request: { params, query: ForgetInput, ...optionalBody(AsUser, USER_IN_BODY) },
      responses: answers(200, ForgottenView, { description: "What was forgotten, without the words", example: FORGOTTEN }),
    }),
    async (c) => {
      const place = withUser(c.var.ctx, c.req.valid("query"), c.req.valid("json"));
      return c.json(await forgetMemory(c.var.ctx, c.req.valid("param").memoryId, place), 200);
    },
  )
  .openapi(
    route({
      method: "post",
      path: `${one}/restore`,
      operationId: "memories.restore",
      summary: "Restore a deleted memory",
      description: "A deleted memory can be restored for 30 days, with the words that were redacted with it.",
      permission: "write",
      session: inQuery,
      replay: EMPTY,
      request: { params, query: WriterPlaceInput },
      responses: nothing,
    }),
    async (c) => {
      await restoreMemory(c.var.ctx, c.req.valid("param").memoryId, c.req.valid("query"));
      return c.body(null, 204);
    },
  )
  .openapi(
    route({
      method: "get",
      path: `${one}/history`,
      operationId: "memories.history",
      summary: "Read the history of a memory",
      description: "Its earlier versions, and the memories that it replaced.",
      permission: "read",
      session: inQuery,
      request: { params, query: MemoryPlaceInput },
      responses: answers(200, HistoryView, { description: "The memory and its history", example: HISTORY }),
    }),
    async (c) => c.json(await memoryHistory(c.var.ctx, c.req.valid("param").memoryId, c.req.valid("query")), 200),
  )
  .openapi(
    route({
      method: "post",
      path: `${one}/approve`,
      operationId: "memories.approve",
      summary: "Approve a memory",
      description:
        "Approves a memory that waits for review, for its owner or with the permission `admin`. The named fields are changed first.",
      permission: "write",
      session: "nowhere",
      replay: KeptMemory,
      request: { params, ...optionalBody(ApproveInput, APPROVE) },
      responses: answers(200, MemoryView, { description: "The memory, approved", example: APPROVED }),
    }),
    async (c) => c.json(await approve(c.var.ctx, c.req.valid("param").memoryId, c.req.valid("json")), 200),
  )
  .openapi(
    route({
      method: "post",
      path: `${one}/reject`,
      operationId: "memories.reject",
      summary: "Reject a memory",
      description: "Rejects a memory that waits for review, for its owner or with the permission `admin`.",
      permission: "write",
      session: "nowhere",
      replay: KeptMemory,
      request: { params, ...optionalBody(RejectInput, REJECT) },
      responses: answers(200, MemoryView, { description: "The memory, rejected", example: REJECTED }),
    }),
    async (c) => c.json(await reject(c.var.ctx, c.req.valid("param").memoryId, c.req.valid("json")), 200),
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/people/{personId}/memories",
      operationId: "people.listMemories",
      summary: "List memories about a person",
      description: "The memories about a person that the user may see, from anybody.",
      permission: "read",
      session: inQuery,
      request: { params: z.object({ personId: z.string().max(80) }), query: MemoryListInput },
      responses: answers(200, MemoryPageView, { description: "A page of memories", example: MEMORY_PAGE }),
    }),
    async (c) => {
      const person = c.req.valid("param").personId;
      return c.json(await listMemories(c.var.ctx, { ...c.req.valid("query"), person }), 200);
    },
  );
