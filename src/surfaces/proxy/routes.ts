import { z } from "@hono/zod-openapi";
import { listModels } from "#domain/injection";
import { answers, body } from "#surfaces/rest/answers";
import { COMPLETION, COMPLETION_REQUEST, MODELS } from "#surfaces/rest/examples/proxy";
import { headerRefs } from "#surfaces/rest/response-headers";
import { routesOf } from "#surfaces/rest/route";
import { createRouter } from "#surfaces/rest/router";
import { headersFromUpstream } from "./answers.ts";
import { complete } from "./complete.ts";
import { CompletionBody, CompletionHeaders, inCompletion } from "./read-request.ts";
import { headersToUpstream } from "./to-upstream.ts";

/** A conversation with its images. It is held in memory several times, and an isolate has 128 MB. */
const MAX_CONVERSATION_BYTES = 10_000_000;

const route = routesOf({ tag: "proxy", answersContent: false });

const Completion = z
  .looseObject({ id: z.string(), object: z.string(), choices: z.array(z.looseObject({ index: z.number().int() })) })
  .meta({ id: "ChatCompletion", description: "OpenAI's chat completion; with `stream`, server-sent events of its chunks" });

const Models = z
  .object({ object: z.literal("list"), data: z.array(z.looseObject({ id: z.string() })) })
  .meta({ id: "ModelList", description: "OpenAI's list of models" });

const { 200: success } = answers(200, Completion, {
  description: "The model server's own answer, byte by byte",
  example: COMPLETION,
});
const completed = { 200: { ...success, headers: headerRefs("x-edgewise-memory", "x-edgewise-forget") } };

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
      request: { headers: CompletionHeaders, ...body(CompletionBody, COMPLETION_REQUEST) },
      responses: completed,
    }),
    async (c) => asAnswer(await complete(c, { body: c.req.valid("json"), headers: c.req.valid("header") })),
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
      const call = { headers: headersToUpstream(c.req.raw.headers), signal: c.req.raw.signal };
      const listed = await listModels(c.var.ctx, call);
      if ("models" in listed) return c.json({ object: "list" as const, data: listed.models }, 200);
      const { body, status, headers } = listed.refused;
      return asAnswer(new Response(body, { status, headers: headersFromUpstream(headers) }));
    },
  );

/** The route's types describe our own answers; this one comes from another server and may be anything. */
function asAnswer(response: Response): never {
  return response as never;
}
