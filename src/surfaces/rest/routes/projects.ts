import { z } from "@hono/zod-openapi";
import { ExternalId } from "#core/fields";
import {
  changeMember,
  getProject,
  listProjects,
  ProjectInput,
  ProjectListInput,
  ProjectView,
  saveProject,
} from "#domain/sessions";
import { answers, optionalBody, page, pageOf } from "#surfaces/rest/answers";
import { AsUser, USER_IN_BODY, withUser } from "#surfaces/rest/as-user";
import { PROJECT, PROJECT_INPUT } from "#surfaces/rest/examples/conversations";
import { routesOf } from "#surfaces/rest/route";
import { createRouter } from "#surfaces/rest/router";

const route = routesOf({ tag: "projects", answersContent: true });
const params = z.object({ projectId: ExternalId });
const memberParams = z.object({ projectId: ExternalId, memberId: ExternalId });

export const projectRoutes = createRouter()
  .openapi(
    route({
      method: "put",
      path: "/v1/projects/{projectId}",
      operationId: "projects.save",
      summary: "Create or rename a project",
      description: "The user who creates a project owns it.",
      permission: "write",
      session: "nowhere",
      request: { params, ...optionalBody(ProjectInput, PROJECT_INPUT) },
      responses: {
        ...answers(200, ProjectView, { description: "The project as it is now", example: PROJECT }),
        ...answers(201, ProjectView, { description: "The project was created", example: PROJECT }),
      },
    }),
    async (c) => {
      const { project, created } = await saveProject(c.var.ctx, c.req.valid("param").projectId, c.req.valid("json"));
      return c.json(project, created ? 201 : 200);
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/projects/{projectId}",
      operationId: "projects.get",
      summary: "Read a project",
      description: "A project that the user belongs to.",
      permission: "read",
      session: "nowhere",
      request: { params, query: AsUser },
      responses: answers(200, ProjectView, { description: "The project", example: PROJECT }),
    }),
    async (c) => c.json(await getProject(c.var.ctx, c.req.valid("param").projectId, c.req.valid("query")), 200),
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/projects",
      operationId: "projects.list",
      summary: "List projects",
      description: "The projects that the user belongs to, newest first.",
      permission: "read",
      session: "nowhere",
      request: { query: ProjectListInput },
      responses: answers(200, pageOf(ProjectView, "ProjectPage"), { description: "A page of projects", example: page(PROJECT) }),
    }),
    async (c) => c.json(await listProjects(c.var.ctx, c.req.valid("query")), 200),
  )
  .openapi(
    route({
      method: "put",
      path: "/v1/projects/{projectId}/members/{memberId}",
      operationId: "projects.addMember",
      summary: "Add a member",
      description: "Members see the whole history of the project. Only the owner may add them.",
      permission: "write",
      session: "nowhere",
      request: { params: memberParams, query: AsUser },
      responses: answers(200, ProjectView, { description: "The project as it is now", example: PROJECT }),
    }),
    async (c) => {
      const { projectId, memberId } = c.req.valid("param");
      return c.json(await changeMember(c.var.ctx, projectId, { memberId, ...c.req.valid("query"), member: true }), 200);
    },
  )
  .openapi(
    route({
      method: "delete",
      path: "/v1/projects/{projectId}/members/{memberId}",
      operationId: "projects.removeMember",
      summary: "Remove a member",
      description: "Only the owner may remove members.",
      permission: "write",
      session: "nowhere",
      request: { params: memberParams, query: AsUser, ...optionalBody(AsUser, USER_IN_BODY) },
      responses: answers(200, ProjectView, { description: "The project as it is now", example: PROJECT }),
    }),
    async (c) => {
      const { projectId, memberId } = c.req.valid("param");
      const acting = withUser(c.var.ctx, c.req.valid("query"), c.req.valid("json"));
      return c.json(await changeMember(c.var.ctx, projectId, { memberId, ...acting, member: false }), 200);
    },
  );
