import { z } from "@hono/zod-openapi";
import {
  addPart,
  finishImport,
  getImport,
  ImportFinishInput,
  ImportInput,
  ImportListInput,
  ImportPartInput,
  ImportPartView,
  ImportPlace,
  ImportView,
  listImports,
  startImport,
} from "#domain/imports";
import { answers, body, optionalBody, page, pageOf } from "#surfaces/rest/answers";
import { FINISH, FINISHED, IMPORT, IMPORT_INPUT, PART, PART_INPUT, REPEATED } from "#surfaces/rest/examples/imports";
import { routesOf } from "#surfaces/rest/route";
import { createRouter } from "#surfaces/rest/router";

const route = routesOf({ tag: "imports", answersContent: true });
const params = z.object({ importId: z.string().max(80) });

/** File names and titles are content. */
const Kept = z.object({ id: z.string() });

const MAX_PART_BYTES = 8_000_000;

export const importRoutes = createRouter()
  .openapi(
    route({
      method: "post",
      path: "/v1/imports",
      operationId: "imports.start",
      summary: "Begin an import",
      description:
        "Begins to import an export of ChatGPT, Claude or Gemini, or message arrays of OpenAI's form, for a user. A file that was imported before answers that import, with `repeated`.",
      permission: "write",
      session: "nowhere",
      replay: Kept,
      request: body(ImportInput, IMPORT_INPUT),
      responses: {
        ...answers(201, ImportView, { description: "The import has begun", example: IMPORT }),
        ...answers(200, ImportView, { description: "The file was imported before", example: REPEATED }),
      },
    }),
    async (c) => {
      const { started, created } = await startImport(c.var.ctx, c.req.valid("json"));
      return c.json(started, created ? 201 : 200);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/v1/imports/{importId}/parts",
      operationId: "imports.addPart",
      summary: "Send a part of an export",
      description:
        "Stores conversations, as the export has them, as private sessions of the user, with their titles and times. Sent again, it adds nothing.",
      permission: "write",
      session: "nowhere",
      replay: "unsupported",
      bodyLimit: MAX_PART_BYTES,
      // Of what an export holds, titles and prompts are redacted, ids with a secret hashed, and rows with one left out, each by itself.
      storesNames: false,
      request: { params, ...body(ImportPartInput, PART_INPUT) },
      responses: answers(200, ImportPartView, { description: "What became of each conversation", example: PART }),
    }),
    async (c) => c.json(await addPart(c.var.ctx, c.req.valid("param").importId, c.req.valid("json")), 200),
  )
  .openapi(
    route({
      method: "post",
      path: "/v1/imports/{importId}/finish",
      operationId: "imports.finish",
      summary: "End an import",
      description: "Ends an import and answers its report.",
      permission: "write",
      session: "nowhere",
      replay: Kept,
      request: { params, ...optionalBody(ImportFinishInput, FINISH) },
      responses: answers(200, ImportView, { description: "The import with its report", example: FINISHED }),
    }),
    async (c) => c.json(await finishImport(c.var.ctx, c.req.valid("param").importId, c.req.valid("json")), 200),
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/imports",
      operationId: "imports.list",
      summary: "List imports",
      description: "The imports of the user, newest first.",
      permission: "read",
      session: "nowhere",
      request: { query: ImportListInput },
      responses: answers(200, pageOf(ImportView, "ImportPage"), { description: "A page of imports", example: page(FINISHED) }),
    }),
    async (c) => c.json(await listImports(c.var.ctx, c.req.valid("query")), 200),
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/imports/{importId}",
      operationId: "imports.get",
      summary: "Read an import",
      description: "An import with its report so far.",
      permission: "read",
      session: "nowhere",
      request: { params, query: ImportPlace },
      responses: answers(200, ImportView, { description: "The import", example: FINISHED }),
    }),
    async (c) => c.json(await getImport(c.var.ctx, c.req.valid("param").importId, c.req.valid("query")), 200),
  );
