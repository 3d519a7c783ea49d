import { z } from "@hono/zod-openapi";
import { findModel, listModels, passEmbeddings } from "#domain/injection";
import { answers, body } from "#surfaces/rest/answers";
import { COMPLETION, COMPLETION_REQUEST, EMBEDDINGS, EMBEDDINGS_REQUEST, MODEL, MODELS } from "#surfaces/rest/examples/proxy";
import { headerRefs } from "#surfaces/rest/response-headers";
import { routesOf } from "#surfaces/rest/route";
import { createRouter } from "#surfaces/rest/router";
import { asAnswer, MAX_CONVERSATION_BYTES, passed } from "./answers.ts";
import { CompletionBody, readCompletion } from "./chat/read-completion.ts";
import { complete } from "./complete.ts";
import { inCompletion, ProxyHeaders, passedOn } from "./place.ts";
import { headersToUpstream, setMember, spliceBody } from "./to-upstream.ts";

const route = routesOf({ tag: "proxy", answersContent: false });

const Completion = z
  .looseObject({ id: z.string(), object: z.string(), choices: z.array(z.looseObject({ index: z.number().int() })) })
  .meta({ id: "ChatCompletion", description: "OpenAI's chat completion; with `stream`, server-sent events of its chunks" });

const ModelView = z.looseObject({ id: z.string() }).meta({ id: "Model", description: "OpenAI's description of a model" });

const Models = z
  .object({ object: z.literal("list"), data: z.array(ModelView) })
  .meta({ id: "ModelList", description: "OpenAI's list of models" });

const EmbeddingsBody = z
  .looseObject({
    input: z.union([z.string(), z.array(z.unknown())]).describe("A text, or a list of texts or of tokens"),
    model: passedOn("string", "The model server's name for a model, or the tenant's own"),
  })
  .meta({ id: "EmbeddingsInput", description: "OpenAI's request for embeddings; every field is passed on unchanged" });

const Embeddings = z
  .looseObject({ object: z.string(), data: z.array(z.looseObject({ index: z.number().int() })) })
  .meta({ id: "Embeddings", description: "OpenAI's list of embeddings, as numbers or base64" });

const { 200: success } = answers(200, Completion, {
  description: "The model server's own answer, byte by byte",
  example: COMPLETION,
});
const completed = { 200: { ...success, headers: headerRefs("x-edgewise-memory", "x-edgewise-forgot") } };

export const proxyRoutes = createRouter()
  .openapi(
    route({
      method: "post",
      path: "/v1/chat/completions",
      operationId: "chat.complete",
      summary: "Complete a chat, with memory",
      description:
        "Sends the conversation to the tenant's model server with a block of relevant memory put before it, passes the answer on unchanged, and stores both. OpenAI-compatible.",
      permission: "write",
      session: inCompletion,
      replay: "unsupported",
      bodyLimit: MAX_CONVERSATION_BYTES,
      // The stored part of a conversation is checked for secrets when it is stored, not here.
      storesNames: false,
      openAiErrors: true,
      request: { headers: ProxyHeaders, ...body(CompletionBody, COMPLETION_REQUEST) },
      responses: completed,
    }),
    async (c) => asAnswer(await complete(c, readCompletion(c.req.valid("json")), c.req.valid("header"))),
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/models",
      operationId: "models.list",
      summary: "List models",
      description: "The models of the tenant's model server, and the tenant's own names for them. OpenAI-compatible.",
      permission: "read",
      session: "anywhere",
      openAiErrors: true,
      responses: answers(200, Models, { description: "The models", example: MODELS }),
    }),
    async (c) => {
      const listed = await listModels(c.var.ctx, callOf(c.req.raw));
      if ("models" in listed) return c.json({ object: "list" as const, data: listed.models }, 200);
      return asAnswer(passed(listed.refused));
    },
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/models/{model}",
      operationId: "models.get",
      summary: "Get a model",
      description:
        "One of the listed models, by the model server's name or the tenant's own. The name may contain slashes, encoded or not. OpenAI-compatible.",
      permission: "read",
      session: "anywhere",
      openAiErrors: true,
      request: { params: z.object({ model: z.string().min(1).max(300) }) },
      responses: answers(200, ModelView, { description: "The model", example: MODEL }),
    }),
    async (c) => {
      const found = await findModel(c.var.ctx, c.req.valid("param").model, callOf(c.req.raw));
      return "model" in found ? c.json(found.model, 200) : asAnswer(passed(found.refused));
    },
  )
  .openapi(
    route({
      method: "post",
      path: "/v1/embeddings",
      operationId: "embeddings.create",
      summary: "Create embeddings",
      description:
        "Sends the texts to the tenant's model server and passes the answer on unchanged. Nothing is read from memory or stored. OpenAI-compatible.",
      permission: "write",
      session: "nowhere",
      readOnly: true,
      bodyLimit: MAX_CONVERSATION_BYTES,
      openAiErrors: true,
      request: body(EmbeddingsBody, EMBEDDINGS_REQUEST),
      responses: answers(200, Embeddings, { description: "The model server's own answer", example: EMBEDDINGS }),
    }),
    async (c) => {
      const [text, { model }] = [await c.req.text(), c.req.valid("json")];
      const writeBody = (name: string | null) => spliceBody(text, name === null ? [] : [setMember("model", name)]);
      return asAnswer(passed(await passEmbeddings(c.var.ctx, { ...callOf(c.req.raw), model, writeBody })));
    },
  );

function callOf({ headers, signal }: Request) {
  return { headers: headersToUpstream(headers), signal };
}
