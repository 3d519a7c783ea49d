import { z } from "@hono/zod-openapi";
import { ExternalId } from "#core/fields";
import {
  addTexts,
  ComparedView,
  CompareInput,
  compareFiles,
  FileListInput,
  FileView,
  getFile,
  getSource,
  listFiles,
  listSources,
  listTree,
  MAX_FILE_BYTES,
  mediaTypeOf,
  readAgain,
  removeFile,
  SourceDetailView,
  SourceInput,
  SourceListInput,
  SourceReader,
  SourceView,
  saveSource,
  TextsInput,
  TreeEntry,
  TreeInput,
  UploadedManyView,
  UploadedView,
  UploadInput,
  uploadFile,
} from "#domain/sources";
import { answers, body, fileBody, nothing, optionalBody, page, pageOf } from "#surfaces/rest/answers";
import { AsUser, USER_IN_BODY, withUser } from "#surfaces/rest/as-user";
import {
  COMPARE,
  COMPARED,
  FILE,
  FILE_BYTES,
  FILE_UNCHANGED,
  FILE_UPLOADED,
  FILE_WAITING,
  SOURCE,
  SOURCE_DETAIL,
  SOURCE_INPUT,
  TEXTS,
  TREE_ENTRY,
} from "#surfaces/rest/examples/documents";
import { routesOf } from "#surfaces/rest/route";
import { createRouter } from "#surfaces/rest/router";

const route = routesOf({ tag: "sources", answersContent: true });
const params = z.object({ sourceId: ExternalId });
const fileParams = z.object({ sourceId: ExternalId, fileId: z.string().max(80) });

const MAX_TEXTS_BYTES = 8_000_000;
const MAX_COMPARED_BYTES = 2_000_000;

const KeptUploaded = z.object({ items: z.array(UploadedView.pick({ id: true, outcome: true })) });

const managing = createRouter()
  .openapi(
    route({
      method: "put",
      path: "/v1/sources/{sourceId}",
      operationId: "sources.save",
      summary: "Create or rename a source",
      description:
        "A collection of documents: of a project, whose owner writes it, or, without a project, of the tenant's library, which server keys write.",
      permission: "write",
      session: "nowhere",
      request: { params, ...optionalBody(SourceInput, SOURCE_INPUT) },
      responses: {
        ...answers(200, SourceView, { description: "The source as it is now", example: SOURCE }),
        ...answers(201, SourceView, { description: "The source was created", example: SOURCE }),
      },
    }),
    async (c) => {
      const { source, created } = await saveSource(c.var.ctx, c.req.valid("param").sourceId, c.req.valid("json"));
      return c.json(source, created ? 201 : 200);
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/sources/{sourceId}",
      operationId: "sources.get",
      summary: "Read a source",
      description: "A source with how many files it has, by what became of them.",
      permission: "read",
      session: "nowhere",
      request: { params, query: SourceReader },
      responses: answers(200, SourceDetailView, { description: "The source", example: SOURCE_DETAIL }),
    }),
    async (c) => c.json(await getSource(c.var.ctx, c.req.valid("param").sourceId, c.req.valid("query")), 200),
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/sources",
      operationId: "sources.list",
      summary: "List sources",
      description: "The sources of a project, or, without a project, those of the tenant's library, newest first.",
      permission: "read",
      session: "nowhere",
      request: { query: SourceListInput },
      responses: answers(200, pageOf(SourceView, "SourcePage"), { description: "A page of sources", example: page(SOURCE) }),
    }),
    async (c) => c.json(await listSources(c.var.ctx, c.req.valid("query")), 200),
  );

const writing = createRouter()
  .openapi(
    route({
      method: "put",
      path: "/v1/sources/{sourceId}/files",
      operationId: "sources.upload",
      summary: "Upload a file",
      description:
        "Stores the body, up to 25 MB of any media type, as the file at `path`, in place of the one there; a job reads its text. The same content again changes nothing.",
      permission: "write",
      session: "nowhere",
      bodyLimit: MAX_FILE_BYTES,
      rawBody: true,
      request: { params, query: UploadInput, ...fileBody(FILE_BYTES) },
      responses: {
        ...answers(200, UploadedView, {
          description: "The file was replaced, or has this content already",
          example: FILE_UNCHANGED,
        }),
        ...answers(201, UploadedView, { description: "The file was created", example: FILE_UPLOADED }),
      },
    }),
    async (c) => {
      const length = c.req.header("content-length") ?? "";
      const file = await uploadFile(c.var.ctx, c.req.valid("param").sourceId, c.req.valid("query"), {
        mediaType: mediaTypeOf(c.req.header("content-type")),
        bytes: /^\d{1,15}$/.test(length) ? Number(length) : null,
        body: c.req.raw.body,
      });
      return c.json(file, file.outcome === "created" ? 201 : 200);
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/v1/sources/{sourceId}/files",
      operationId: "sources.addTexts",
      summary: "Store texts as files",
      description: "Up to 100 files whose content is in the request, all or none. The same content again changes nothing.",
      permission: "write",
      session: "nowhere",
      replay: KeptUploaded,
      bodyLimit: MAX_TEXTS_BYTES,
      request: { params, ...body(TextsInput, TEXTS) },
      responses: answers(200, UploadedManyView, {
        description: "What became of each, in the order of the request",
        example: { items: [FILE_UPLOADED] },
      }),
    }),
    async (c) => c.json(await addTexts(c.var.ctx, c.req.valid("param").sourceId, c.req.valid("json")), 200),
  )
  .openapi(
    route({
      method: "post",
      path: "/v1/sources/{sourceId}/files/{fileId}/read",
      operationId: "sources.readFile",
      summary: "Read a file again",
      description: "For a file that failed or was never read to its end; what was uploaded is kept until it has been read.",
      permission: "write",
      session: "nowhere",
      replay: FileView.pick({ id: true }),
      request: { params: fileParams, ...optionalBody(AsUser, USER_IN_BODY) },
      responses: answers(200, FileView, { description: "The file, which waits for its job", example: FILE_WAITING }),
    }),
    async (c) => c.json(await readAgain(c.var.ctx, c.req.valid("param"), c.req.valid("json")), 200),
  )
  .openapi(
    route({
      method: "delete",
      path: "/v1/sources/{sourceId}/files/{fileId}",
      operationId: "sources.removeFile",
      summary: "Delete a file",
      description: "Nothing shows it from then on; its passages are deleted by a job.",
      permission: "write",
      session: "nowhere",
      request: { params: fileParams, query: SourceReader, ...optionalBody(AsUser, USER_IN_BODY) },
      responses: nothing,
    }),
    async (c) => {
      const acting = withUser(c.var.ctx, c.req.valid("query"), c.req.valid("json"));
      await removeFile(c.var.ctx, c.req.valid("param"), acting);
      return c.body(null, 204);
    },
  );

/** Before the others, because `compare` is no file's id. */
const reading = createRouter()
  .openapi(
    route({
      method: "post",
      path: "/v1/sources/{sourceId}/files/compare",
      operationId: "sources.compare",
      summary: "Compare files by their hashes",
      description:
        "Which of up to 1,000 files the source has with the same content, so that only the others need to be uploaded.",
      permission: "read",
      session: "nowhere",
      readOnly: true,
      bodyLimit: MAX_COMPARED_BYTES,
      request: { params, ...body(CompareInput, COMPARE) },
      responses: answers(200, ComparedView, { description: "Each file, in the order of the request", example: COMPARED }),
    }),
    async (c) => c.json(await compareFiles(c.var.ctx, c.req.valid("param").sourceId, c.req.valid("json")), 200),
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/sources/{sourceId}/files",
      operationId: "sources.listFiles",
      summary: "List the files of a source",
      description: "By path.",
      permission: "read",
      session: "nowhere",
      request: { params, query: FileListInput },
      responses: answers(200, pageOf(FileView, "FilePage"), { description: "A page of files", example: page(FILE) }),
    }),
    async (c) => c.json(await listFiles(c.var.ctx, c.req.valid("param").sourceId, c.req.valid("query")), 200),
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/sources/{sourceId}/files/{fileId}",
      operationId: "sources.getFile",
      summary: "Read a file's status",
      description: "What is known of a file, and what became of its reading.",
      permission: "read",
      session: "nowhere",
      request: { params: fileParams, query: SourceReader },
      responses: answers(200, FileView, { description: "The file", example: FILE }),
    }),
    async (c) => c.json(await getFile(c.var.ctx, c.req.valid("param"), c.req.valid("query")), 200),
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/sources/{sourceId}/tree",
      operationId: "sources.tree",
      summary: "List a folder of a source",
      description: "The folders and files directly in a folder, by path.",
      permission: "read",
      session: "nowhere",
      request: { params, query: TreeInput },
      responses: answers(200, pageOf(TreeEntry, "TreePage"), { description: "A page of entries", example: page(TREE_ENTRY) }),
    }),
    async (c) => c.json(await listTree(c.var.ctx, c.req.valid("param").sourceId, c.req.valid("query")), 200),
  );

export const sourceRoutes = createRouter().route("/", managing).route("/", reading).route("/", writing);
