import { z } from "@hono/zod-openapi";
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
import { answers, body, nothing, optionalBody, page, pageOf, versioned } from "#surfaces/rest/answers";
import { AsUser, USER_IN_BODY, withUser } from "#surfaces/rest/as-user";
import { etagOf, ifMatch, versionsIn } from "#surfaces/rest/etag";
import {
  ENTITY,
  ENTITY_ADDED,
  ENTITY_CHANGE,
  ENTITY_FOUND,
  ENTITY_HITS,
  ENTITY_INPUT,
  ENTITY_SEARCH,
  MENTION,
  RETAG,
  RETAG_MANY,
  RETAGGED,
  RETAGGED_MANY,
} from "#surfaces/rest/examples/knowledge";
import { routesOf } from "#surfaces/rest/route";
import { createRouter } from "#surfaces/rest/router";
import { inBody, inQuery } from "#surfaces/rest/session-place";

const route = routesOf({ tag: "entities", answersContent: true });
const params = z.object({ entityId: z.string().max(80) });

const KeptEntity = SavedEntityView.pick({ id: true, created: true, version: true });
const KeptRetagged = RetaggedView.pick({ id: true, mergedInto: true });

export const entityRoutes = createRouter()
  .openapi(
    route({
      method: "post",
      path: "/v1/entities",
      operationId: "entities.add",
      summary: "Add an entity",
      description: "Stores an entity of a project, or adds to the one with the same type and name.",
      permission: "write",
      session: "nowhere",
      replay: KeptEntity,
      request: body(EntityInput, ENTITY_INPUT),
      responses: {
        ...versioned(201, SavedEntityView, { description: "The entity was created", example: ENTITY_ADDED }),
        ...versioned(200, SavedEntityView, { description: "The existing entity, with the additions", example: ENTITY_FOUND }),
      },
    }),
    async (c) => {
      const entity = await saveEntity(c.var.ctx, c.req.valid("json"));
      return c.json(entity, entity.created ? 201 : 200, { etag: etagOf(entity) });
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/entities",
      operationId: "entities.list",
      summary: "List entities",
      description: "The entities of the user's current project, the last mentioned first.",
      permission: "read",
      session: inQuery,
      request: { query: EntityListInput },
      responses: answers(200, pageOf(EntityView, "EntityPage"), {
        description: "A page of entities; empty without a project",
        example: page(ENTITY),
      }),
    }),
    async (c) => c.json(await listEntities(c.var.ctx, c.req.valid("query")), 200),
  )
  .openapi(
    route({
      method: "post",
      path: "/v1/entities/search",
      operationId: "entities.search",
      summary: "Search entities",
      description: "Searches the entities of the user's current project, best first.",
      permission: "read",
      session: inBody,
      readOnly: true,
      request: body(EntitySearchInput, ENTITY_SEARCH),
      responses: answers(200, EntitySearchView, {
        description: "The entities; none without a project",
        example: ENTITY_HITS,
      }),
    }),
    async (c) => c.json(await findEntities(c.var.ctx, c.req.valid("json")), 200),
  )
  .openapi(
    route({
      method: "post",
      path: "/v1/entities/retag",
      operationId: "entities.retagMany",
      summary: "Move entities to another project",
      description: "The user must belong to both projects.",
      permission: "write",
      session: "nowhere",
      replay: RetaggedManyView,
      request: body(RetagManyInput, RETAG_MANY),
      responses: answers(200, RetaggedManyView, { description: "What was moved", example: RETAGGED_MANY }),
    }),
    async (c) => c.json(await retagEntities(c.var.ctx, c.req.valid("json")), 200),
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/entities/{entityId}",
      operationId: "entities.get",
      summary: "Read an entity",
      description: "An entity of the user's current project. The ETag is its version.",
      permission: "read",
      session: inQuery,
      request: { params, query: EntityPlaceInput },
      responses: versioned(200, EntityView, { description: "The entity; the ETag is its version", example: ENTITY }),
    }),
    async (c) => {
      const entity = await getEntity(c.var.ctx, c.req.valid("param").entityId, c.req.valid("query"));
      return c.json(entity, 200, { etag: etagOf(entity) });
    },
  )
  .openapi(
    route({
      method: "patch",
      path: "/v1/entities/{entityId}",
      operationId: "entities.update",
      summary: "Change an entity",
      description: "The user must belong to its project.",
      permission: "write",
      session: "nowhere",
      request: { params, query: AsUser, headers: ifMatch, ...optionalBody(EntityChange, ENTITY_CHANGE) },
      responses: versioned(200, EntityView, { description: "The entity as it is now; the ETag is its version", example: ENTITY }),
    }),
    async (c) => {
      const named = { entityId: c.req.valid("param").entityId, ifVersions: versionsIn(c.req.valid("header")) };
      const entity = await changeEntity(c.var.ctx, named, withUser(c.var.ctx, c.req.valid("json"), c.req.valid("query")));
      return c.json(entity, 200, { etag: etagOf(entity) });
    },
  )
  .openapi(
    route({
      method: "delete",
      path: "/v1/entities/{entityId}",
      operationId: "entities.delete",
      summary: "Delete an entity",
      description: "The user must belong to its project.",
      permission: "write",
      session: "nowhere",
      request: { params, query: WriterInput, ...optionalBody(AsUser, USER_IN_BODY) },
      responses: nothing,
    }),
    async (c) => {
      const acting = withUser(c.var.ctx, c.req.valid("query"), c.req.valid("json"));
      await forgetEntity(c.var.ctx, c.req.valid("param").entityId, acting);
      return c.body(null, 204);
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/entities/{entityId}/mentions",
      operationId: "entities.listMentions",
      summary: "List mentions of an entity",
      description: "The episodes that mention it and that the user may see, the latest first.",
      permission: "read",
      session: inQuery,
      request: { params, query: MentionListInput },
      responses: answers(200, pageOf(MentionView, "EntityMentionPage"), {
        description: "A page of mentions",
        example: page(MENTION),
      }),
    }),
    async (c) => c.json(await listMentions(c.var.ctx, c.req.valid("param").entityId, c.req.valid("query")), 200),
  )
  .openapi(
    route({
      method: "post",
      path: "/v1/entities/{entityId}/retag",
      operationId: "entities.retag",
      summary: "Move an entity to another project",
      description: "The user must belong to both projects.",
      permission: "write",
      session: "nowhere",
      replay: KeptRetagged,
      request: { params, ...body(RetagOneInput, RETAG) },
      responses: answers(200, RetaggedView, {
        description: "The moved entity, or the one that it was merged into",
        example: RETAGGED,
      }),
    }),
    async (c) => c.json(await retagEntity(c.var.ctx, c.req.valid("param").entityId, c.req.valid("json")), 200),
  );
