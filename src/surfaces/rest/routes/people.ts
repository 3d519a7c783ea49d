import { createRoute, z } from "@hono/zod-openapi";
import { UserId } from "#core/fields";
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
import { answers, body, idempotencyKey, optionalBody, outdated, pageOf, secured } from "#surfaces/rest/answers";
import { etagOf, ifMatch, versionsIn } from "#surfaces/rest/etag";
import { once } from "#surfaces/rest/idempotent";
import { createRouter } from "#surfaces/rest/router";

const tags = ["people"];
const params = z.object({ personId: z.string().max(80) });
const aliasParams = z.object({ personId: z.string().max(80), alias: PersonName });
const mergeParams = z.object({ mergeId: z.string().max(80) });
const asUser = z.strictObject({ userId: UserId.optional() });

const KeptPerson = PersonView.pick({ id: true, version: true });
const KeptMerge = MergeView.pick({ id: true, mergedAt: true, undoneAt: true }).extend({ from: KeptPerson, into: KeptPerson });

export const peopleRoutes = createRouter()
  .openapi(
    createRoute({
      method: "post",
      path: "/v1/people",
      middleware: once(KeptPerson),
      tags,
      security: secured,
      summary: "Make a person that is no user (permission: write)",
      request: { headers: idempotencyKey, ...body(PersonInput) },
      responses: answers(201, PersonView, "The person"),
    }),
    async (c) => {
      const person = await createPerson(c.var.ctx, c.req.valid("json"));
      return c.json(person, 201, { etag: etagOf(person) });
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/v1/people",
      tags,
      security: secured,
      summary: "Everybody with a name, or whom the user made, newest first (permission: read)",
      request: { query: PersonListInput },
      responses: answers(200, pageOf(PersonView, "PersonPage"), "A page of people"),
    }),
    async (c) => c.json(await listPeople(c.var.ctx, c.req.valid("query")), 200),
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/v1/people/me",
      tags,
      security: secured,
      summary: "The user's own person (permission: read)",
      request: { query: asUser },
      responses: answers(200, PersonView, "The person"),
    }),
    async (c) => {
      const person = await getOwnPerson(c.var.ctx, c.req.valid("query"));
      return c.json(person, 200, { etag: etagOf(person) });
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/v1/people/{personId}",
      tags,
      security: secured,
      summary: "A person of the tenant, whoever made it (permission: read)",
      request: { params, query: asUser },
      responses: answers(200, PersonView, "The person"),
    }),
    async (c) => {
      const person = await getPerson(c.var.ctx, c.req.valid("param").personId, c.req.valid("query"));
      return c.json(person, 200, { etag: etagOf(person) });
    },
  )
  .openapi(
    createRoute({
      method: "patch",
      path: "/v1/people/{personId}",
      tags,
      security: secured,
      summary: "Change a person, as the person or who made it (permission: write)",
      request: { params, headers: ifMatch, ...optionalBody(PersonChange) },
      responses: { ...answers(200, PersonView, "The person as it is now; the ETag is its version"), ...outdated },
    }),
    async (c) => {
      const named = { personId: c.req.valid("param").personId, ifVersions: versionsIn(c.req.valid("header")) };
      const person = await changePerson(c.var.ctx, named, c.req.valid("json"));
      return c.json(person, 200, { etag: etagOf(person) });
    },
  )
  .openapi(
    createRoute({
      method: "put",
      path: "/v1/people/{personId}/aliases/{alias}",
      tags,
      security: secured,
      summary: "Give a person an alias, as the person or who made it (permission: write)",
      request: { params: aliasParams, query: asUser },
      responses: answers(200, PersonView, "The person as it is now"),
    }),
    async (c) => {
      const { personId, alias } = c.req.valid("param");
      const person = await changeAlias(c.var.ctx, personId, { alias, ...c.req.valid("query"), added: true });
      return c.json(person, 200, { etag: etagOf(person) });
    },
  )
  .openapi(
    createRoute({
      method: "delete",
      path: "/v1/people/{personId}/aliases/{alias}",
      tags,
      security: secured,
      summary: "Take an alias from a person, as the person or who made it (permission: write)",
      request: { params: aliasParams, query: asUser },
      responses: answers(200, PersonView, "The person as it is now"),
    }),
    async (c) => {
      const { personId, alias } = c.req.valid("param");
      const person = await changeAlias(c.var.ctx, personId, { alias, ...c.req.valid("query"), added: false });
      return c.json(person, 200, { etag: etagOf(person) });
    },
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/v1/people/{personId}/merge",
      middleware: once(KeptMerge),
      tags,
      security: secured,
      summary: "Merge another person into this one; into a user's own only with admin (permission: write)",
      request: { params, headers: idempotencyKey, ...body(MergeInput) },
      responses: answers(201, MergeView, "The merge, by whose id it can be undone"),
    }),
    async (c) => c.json(await mergePeople(c.var.ctx, c.req.valid("param").personId, c.req.valid("json")), 201),
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/v1/people/merges/{mergeId}/undo",
      middleware: once(KeptMerge),
      tags,
      security: secured,
      summary: "Undo a merge, once; what was changed since stays as it is (permission: write)",
      request: { params: mergeParams, headers: idempotencyKey, ...optionalBody(UndoInput) },
      responses: answers(200, MergeView, "The merge, undone"),
    }),
    async (c) => c.json(await undoMerge(c.var.ctx, c.req.valid("param").mergeId, c.req.valid("json")), 200),
  );
