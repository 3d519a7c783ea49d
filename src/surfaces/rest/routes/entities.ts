import { createRoute, z } from "@hono/zod-openapi";
import {
  changeEntity,
  EntityChange,
  EntityInput,
  EntityListInput,
  EntityPlaceInput,
  EntitySearchInput,
  EntitySearchView,
  EntityView,
  findEntities,
  forgetEntity,
  getEntity,
  listEntities,
  listMentions,
  MentionListInput,
  MentionView,
  RetaggedManyView,
  RetaggedView,
  RetagManyInput,
  RetagOneInput,
  retagEntities,
  retagEntity,
  SavedEntityView,
  saveEntity,
  WriterInput,
} from "#domain/entities";
import { answers, body, idempotencyKey, nothing, optionalBody, outdated, pageOf, secured } from "#surfaces/rest/answers";
import { etagOf, ifMatch, versionsIn } from "#surfaces/rest/etag";
import { once } from "#surfaces/rest/idempotent";
import { createRouter } from "#surfaces/rest/router";

const tags = ["entities"];
const params = z.object({ entityId: z.string().max(80) });

const KeptEntity = SavedEntityView.pick({ id: true, created: true, version: true });
const KeptRetagged = RetaggedView.pick({ id: true, mergedInto: true });

export const entityRoutes = createRouter()
  .openapi(
    createRoute({
      method: "post",
      path: "/v1/entities",
      middleware: once(KeptEntity),
      tags,
      security: secured,
      summary: "Store an entity of a project, or add to the one of its type and name (permission: write)",
      request: { headers: idempotencyKey, ...body(EntityInput) },
      responses: {
        ...answers(201, SavedEntityView, "The entity was made"),
        ...answers(200, SavedEntityView, "The entity that was there, with what is new"),
      },
    }),
    async (c) => {
      const entity = await saveEntity(c.var.ctx, c.req.valid("json"));
      return c.json(entity, entity.created ? 201 : 200, { etag: etagOf(entity) });
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/v1/entities",
      tags,
      security: secured,
      summary: "Entities of the viewer's current project, what was named last first (permission: read)",
      request: { query: EntityListInput },
      responses: answers(200, pageOf(EntityView, "EntityPage"), "A page of entities; empty where there is no project"),
    }),
    async (c) => c.json(await listEntities(c.var.ctx, c.req.valid("query")), 200),
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/v1/entities/search",
      tags,
      security: secured,
      summary: "Find entities of the viewer's current project, best first (permission: read)",
      request: body(EntitySearchInput),
      responses: answers(200, EntitySearchView, "The entities; none where there is no project"),
    }),
    async (c) => c.json(await findEntities(c.var.ctx, c.req.valid("json")), 200),
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/v1/entities/retag",
      middleware: once(RetaggedManyView),
      tags,
      security: secured,
      summary: "Move entities of a project to another, as a user who belongs to both (permission: write)",
      request: { headers: idempotencyKey, ...body(RetagManyInput) },
      responses: answers(200, RetaggedManyView, "What was moved"),
    }),
    async (c) => c.json(await retagEntities(c.var.ctx, c.req.valid("json")), 200),
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/v1/entities/{entityId}",
      tags,
      security: secured,
      summary: "An entity of the viewer's current project (permission: read)",
      request: { params, query: EntityPlaceInput },
      responses: answers(200, EntityView, "The entity; the ETag is its version"),
    }),
    async (c) => {
      const entity = await getEntity(c.var.ctx, c.req.valid("param").entityId, c.req.valid("query"));
      return c.json(entity, 200, { etag: etagOf(entity) });
    },
  )
  .openapi(
    createRoute({
      method: "patch",
      path: "/v1/entities/{entityId}",
      tags,
      security: secured,
      summary: "Change an entity, as a user who belongs to its project (permission: write)",
      request: { params, headers: ifMatch, ...optionalBody(EntityChange) },
      responses: { ...answers(200, EntityView, "The entity as it is now; the ETag is its version"), ...outdated },
    }),
    async (c) => {
      const named = { entityId: c.req.valid("param").entityId, ifVersions: versionsIn(c.req.valid("header")) };
      const entity = await changeEntity(c.var.ctx, named, c.req.valid("json"));
      return c.json(entity, 200, { etag: etagOf(entity) });
    },
  )
  .openapi(
    createRoute({
      method: "delete",
      path: "/v1/entities/{entityId}",
      tags,
      security: secured,
      summary: "Delete an entity, as a user who belongs to its project (permission: write)",
      request: { params, query: WriterInput },
      responses: nothing,
    }),
    async (c) => {
      await forgetEntity(c.var.ctx, c.req.valid("param").entityId, c.req.valid("query"));
      return c.body(null, 204);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/v1/entities/{entityId}/mentions",
      tags,
      security: secured,
      summary: "The episodes that named an entity and that the viewer may hear, the latest first (permission: read)",
      request: { params, query: MentionListInput },
      responses: answers(200, pageOf(MentionView, "EntityMentionPage"), "A page of mentions"),
    }),
    async (c) => c.json(await listMentions(c.var.ctx, c.req.valid("param").entityId, c.req.valid("query")), 200),
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/v1/entities/{entityId}/retag",
      middleware: once(KeptRetagged),
      tags,
      security: secured,
      summary: "Move an entity to another project, as a user who belongs to both (permission: write)",
      request: { params, headers: idempotencyKey, ...body(RetagOneInput) },
      responses: answers(200, RetaggedView, "The entity where it is now, or the one that it was merged into"),
    }),
    async (c) => c.json(await retagEntity(c.var.ctx, c.req.valid("param").entityId, c.req.valid("json")), 200),
  );
