import { createRoute, z } from "@hono/zod-openapi";
import { ExternalId, UserId } from "#core/fields";
import {
  changeMember,
  getProject,
  listProjects,
  ProjectInput,
  ProjectListInput,
  ProjectView,
  saveProject,
} from "#domain/sessions";
import { answers, optionalBody, pageOf, secured } from "#surfaces/rest/answers";
import { createRouter } from "#surfaces/rest/router";

const tags = ["projects"];
const params = z.object({ projectId: ExternalId });
const memberParams = z.object({ projectId: ExternalId, memberId: ExternalId });
const asUser = z.strictObject({ userId: UserId.optional() });

export const projectRoutes = createRouter()
  .openapi(
    createRoute({
      method: "put",
      path: "/v1/projects/{projectId}",
      tags,
      security: secured,
      summary: "Make a project of the user's, or rename it (permission: write)",
      request: { params, ...optionalBody(ProjectInput) },
      responses: {
        ...answers(200, ProjectView, "The project as it is now"),
        ...answers(201, ProjectView, "The project was made"),
      },
    }),
    async (c) => {
      const { project, created } = await saveProject(c.var.ctx, c.req.valid("param").projectId, c.req.valid("json"));
      return c.json(project, created ? 201 : 200);
    },
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/v1/projects/{projectId}",
      tags,
      security: secured,
      summary: "A project that the user belongs to (permission: read)",
      request: { params, query: asUser },
      responses: answers(200, ProjectView, "The project"),
    }),
    async (c) => c.json(await getProject(c.var.ctx, c.req.valid("param").projectId, c.req.valid("query")), 200),
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/v1/projects",
      tags,
      security: secured,
      summary: "The projects that the user belongs to, newest first (permission: read)",
      request: { query: ProjectListInput },
      responses: answers(200, pageOf(ProjectView, "ProjectPage"), "A page of projects"),
    }),
    async (c) => c.json(await listProjects(c.var.ctx, c.req.valid("query")), 200),
  )
  .openapi(
    createRoute({
      method: "put",
      path: "/v1/projects/{projectId}/members/{memberId}",
      tags,
      security: secured,
      summary: "Let a user into the project and all of its history; only the owner may (permission: write)",
      request: { params: memberParams, query: asUser },
      responses: answers(200, ProjectView, "The project as it is now"),
    }),
    async (c) => {
      const { projectId, memberId } = c.req.valid("param");
      return c.json(await changeMember(c.var.ctx, projectId, { memberId, ...c.req.valid("query"), member: true }), 200);
    },
  )
  .openapi(
    createRoute({
      method: "delete",
      path: "/v1/projects/{projectId}/members/{memberId}",
      tags,
      security: secured,
      summary: "Put a member out of the project; only the owner may (permission: write)",
      request: { params: memberParams, query: asUser },
      responses: answers(200, ProjectView, "The project as it is now"),
    }),
    async (c) => {
      const { projectId, memberId } = c.req.valid("param");
      return c.json(await changeMember(c.var.ctx, projectId, { memberId, ...c.req.valid("query"), member: false }), 200);
    },
  );
