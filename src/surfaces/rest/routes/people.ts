import { z } from "@hono/zod-openapi";
import {
  changeAlias,
  changePerson,
  createPerson,
  getOwnPerson,
  getPerson,
  listPeople,
  MergeInput,
  MergeView,
  mergePeople,
  PersonChange,
  PersonInput,
  PersonListInput,
  PersonName,
  PersonView,
  UndoInput,
  undoMerge,
} from "#domain/people";
import { answers, body, optionalBody, page, pageOf, versioned } from "#surfaces/rest/answers";
import { AsUser, USER_IN_BODY, withUser } from "#surfaces/rest/as-user";
import { etagOf, ifMatch, versionsIn } from "#surfaces/rest/etag";
import {
  MERGE,
  MERGE_INPUT,
  OWN_PERSON,
  PERSON,
  PERSON_CHANGE,
  PERSON_INPUT,
  UNDO,
  UNDONE,
} from "#surfaces/rest/examples/knowledge";
import { routesOf } from "#surfaces/rest/route";
import { createRouter } from "#surfaces/rest/router";

const route = routesOf({ tag: "people", answersContent: true });
const params = z.object({ personId: z.string().max(80) });
const aliasParams = z.object({ personId: z.string().max(80), alias: PersonName });
const mergeParams = z.object({ mergeId: z.string().max(80) });

const KeptPerson = PersonView.pick({ id: true, version: true });
const KeptMerge = MergeView.pick({ id: true, mergedAt: true, undoneAt: true }).extend({ from: KeptPerson, into: KeptPerson });

export const peopleRoutes = createRouter()
  .openapi(
    route({
      method: "post",
      path: "/v1/people",
      operationId: "people.add",
      summary: "Add a person",
      description: "Adds a person who is not a user of the app.",
      permission: "write",
      session: "nowhere",
      replay: KeptPerson,
      request: body(PersonInput, PERSON_INPUT),
      responses: versioned(201, PersonView, { description: "The person", example: PERSON }),
    }),
    async (c) => {
      const person = await createPerson(c.var.ctx, c.req.valid("json"));
      return c.json(person, 201, { etag: etagOf(person) });
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/people",
      operationId: "people.list",
      summary: "List people",
      description: "The people with a name, or those whom the user added, newest first.",
      permission: "read",
      session: "nowhere",
      request: { query: PersonListInput },
      responses: answers(200, pageOf(PersonView, "PersonPage"), { description: "A page of people", example: page(PERSON) }),
    }),
    async (c) => c.json(await listPeople(c.var.ctx, c.req.valid("query")), 200),
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/people/me",
      operationId: "people.me",
      summary: "Read the user's own person",
      description: "The person that the user is. Every user has one.",
      permission: "read",
      session: "nowhere",
      request: { query: AsUser },
      responses: versioned(200, PersonView, { description: "The person", example: OWN_PERSON }),
    }),
    async (c) => {
      const person = await getOwnPerson(c.var.ctx, c.req.valid("query"));
      return c.json(person, 200, { etag: etagOf(person) });
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/people/{personId}",
      operationId: "people.get",
      summary: "Read a person",
      description: "Any person of the tenant. Relationship and notes are shown to the person's creator and to the person only.",
      permission: "read",
      session: "nowhere",
      request: { params, query: AsUser },
      responses: versioned(200, PersonView, { description: "The person", example: PERSON }),
    }),
    async (c) => {
      const person = await getPerson(c.var.ctx, c.req.valid("param").personId, c.req.valid("query"));
      return c.json(person, 200, { etag: etagOf(person) });
    },
  )
  .openapi(
    route({
      method: "patch",
      path: "/v1/people/{personId}",
      operationId: "people.update",
      summary: "Change a person",
      description: "As the person, or as the user who added them.",
      permission: "write",
      session: "nowhere",
      request: { params, query: AsUser, headers: ifMatch, ...optionalBody(PersonChange, PERSON_CHANGE) },
      responses: versioned(200, PersonView, { description: "The person as it is now; the ETag is its version", example: PERSON }),
    }),
    async (c) => {
      const named = { personId: c.req.valid("param").personId, ifVersions: versionsIn(c.req.valid("header")) };
      const person = await changePerson(c.var.ctx, named, withUser(c.var.ctx, c.req.valid("json"), c.req.valid("query")));
      return c.json(person, 200, { etag: etagOf(person) });
    },
  )
  .openapi(
    route({
      method: "put",
      path: "/v1/people/{personId}/aliases/{alias}",
      operationId: "people.addAlias",
      summary: "Add an alias",
      description: "As the person, or as the user who added them.",
      permission: "write",
      session: "nowhere",
      request: { params: aliasParams, query: AsUser },
      responses: versioned(200, PersonView, { description: "The person as it is now", example: PERSON }),
    }),
    async (c) => {
      const { personId, alias } = c.req.valid("param");
      const person = await changeAlias(c.var.ctx, personId, { alias, ...c.req.valid("query"), added: true });
      return c.json(person, 200, { etag: etagOf(person) });
    },
  )
  .openapi(
    route({
      method: "delete",
      path: "/v1/people/{personId}/aliases/{alias}",
      operationId: "people.removeAlias",
      summary: "Remove an alias",
      description: "As the person, or as the user who added them.",
      permission: "write",
      session: "nowhere",
      request: { params: aliasParams, query: AsUser, ...optionalBody(AsUser, USER_IN_BODY) },
      responses: versioned(200, PersonView, { description: "The person as it is now", example: PERSON }),
    }),
    async (c) => {
      const { personId, alias } = c.req.valid("param");
      const acting = withUser(c.var.ctx, c.req.valid("query"), c.req.valid("json"));
      const person = await changeAlias(c.var.ctx, personId, { alias, ...acting, added: false });
      return c.json(person, 200, { etag: etagOf(person) });
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/v1/people/{personId}/merge",
      operationId: "people.merge",
      summary: "Merge two people",
      description: "Merges another person into this one. Merging into a user's own person needs the permission `admin`.",
      permission: "write",
      session: "nowhere",
      replay: KeptMerge,
      request: { params, ...body(MergeInput, MERGE_INPUT) },
      responses: answers(201, MergeView, { description: "The merge, by whose id it can be undone", example: MERGE }),
    }),
    async (c) => c.json(await mergePeople(c.var.ctx, c.req.valid("param").personId, c.req.valid("json")), 201),
  )
  .openapi(
    route({
      method: "post",
      path: "/v1/people/merges/{mergeId}/undo",
      operationId: "people.undoMerge",
      summary: "Undo a merge",
      description: "A merge can be undone once. Later changes are kept.",
      permission: "write",
      session: "nowhere",
      replay: KeptMerge,
      request: { params: mergeParams, ...optionalBody(UndoInput, UNDO) },
      responses: answers(200, MergeView, { description: "The merge, undone", example: UNDONE }),
    }),
    async (c) => c.json(await undoMerge(c.var.ctx, c.req.valid("param").mergeId, c.req.valid("json")), 200),
  );
