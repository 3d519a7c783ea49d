import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { passStoredResponse } from "#domain/injection";
import { asAnswer, MAX_CONVERSATION_BYTES, passed } from "#surfaces/proxy/answers";
import { complete } from "#surfaces/proxy/complete";
import { inCompletion, ProxyHeaders } from "#surfaces/proxy/place";
import { headersToUpstream } from "#surfaces/proxy/to-upstream";
import { answers, body } from "#surfaces/rest/answers";
import { DELETED_RESPONSE, INPUT_ITEMS, RESPONSE, RESPONSE_REQUEST } from "#surfaces/rest/examples/responses";
import { headerRefs } from "#surfaces/rest/response-headers";
import type { RestEnv } from "#surfaces/rest/rest-env";
import { routesOf } from "#surfaces/rest/route";
import { createRouter } from "#surfaces/rest/router";
import { ResponseBody, readResponse } from "./read-request.ts";

const route = routesOf({ tag: "proxy", answersContent: false });
/** For a route that needs no permission to read, and whose answer has what a user said. */
const contentRoute = routesOf({ tag: "proxy", answersContent: true });

const ModelResponse = z
  .looseObject({ id: z.string(), object: z.string(), output: z.array(z.looseObject({ type: z.string() })) })
  .meta({ id: "ModelResponse", description: "OpenAI's response; with `stream`, server-sent events" });

const DeletedResponse = z
  .looseObject({ id: z.string(), deleted: z.boolean() })
  .meta({ id: "DeletedModelResponse", description: "OpenAI's confirmation" });

const InputItems = z
  .looseObject({ object: z.string(), data: z.array(z.looseObject({})) })
  .meta({ id: "ModelResponseItems", description: "OpenAI's list of the items of a response's input" });

/** It is put into a path: no slash, and no dot at the beginning. */
const params = z.object({ responseId: z.string().regex(/^\w[\w.:-]{0,199}$/, "It is no id of a response.") });

const { 200: success } = answers(200, ModelResponse, {
  description: "The model server's own answer, byte by byte",
  example: RESPONSE,
});
const responded = { 200: { ...success, headers: headerRefs("x-edgewise-memory", "x-edgewise-forgot") } };

/** The sentence that all routes about stored responses have in common. */
const KEPT =
  "The model server keeps responses, not Edgewise: the request is passed on, with its query. Only for server keys, because the model server does not know which user a response belongs to. OpenAI-compatible.";

export const responseRoutes = createRouter()
  .openapi(
    route({
      method: "post",
      path: "/v1/responses",
      operationId: "responses.create",
      summary: "Create a response, with memory",
      description:
        "Sends the input to the tenant's model server with a block of relevant memory in `instructions`, passes the answer on unchanged, and stores both. OpenAI-compatible.",
      permission: "write",
      session: inCompletion,
      replay: "unsupported",
      bodyLimit: MAX_CONVERSATION_BYTES,
      // The stored part of a conversation is checked for secrets when it is stored, not here.
      storesNames: false,
      openAiErrors: true,
      request: { headers: ProxyHeaders, ...body(ResponseBody, RESPONSE_REQUEST) },
      responses: responded,
    }),
    async (c) => asAnswer(await complete(c, readResponse(c.req.valid("json")), c.req.valid("header"))),
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/responses/{responseId}",
      operationId: "responses.get",
      summary: "Get a response that the model server keeps",
      description: KEPT,
      permission: "read",
      session: "nowhere",
      keysOnly: true,
      openAiErrors: true,
      request: { params },
      responses: answers(200, ModelResponse, { description: "The model server's own answer", example: RESPONSE }),
    }),
    async (c) => asAnswer(await passOn(c, { ...c.req.valid("param"), method: "GET" })),
  )
  .openapi(
    route({
      method: "delete",
      path: "/v1/responses/{responseId}",
      operationId: "responses.delete",
      summary: "Delete a response that the model server keeps",
      description: `${KEPT} What Edgewise stored of the exchange stays.`,
      permission: "write",
      session: "nowhere",
      keysOnly: true,
      openAiErrors: true,
      request: { params },
      responses: answers(200, DeletedResponse, { description: "The model server's own answer", example: DELETED_RESPONSE }),
    }),
    async (c) => asAnswer(await passOn(c, { ...c.req.valid("param"), method: "DELETE" })),
  )
  .openapi(
    contentRoute({
      method: "post",
      path: "/v1/responses/{responseId}/cancel",
      operationId: "responses.cancel",
      summary: "Cancel a response that is made in the background",
      description: KEPT,
      permission: "write",
      session: "nowhere",
      keysOnly: true,
      replay: "unsupported",
      storesNames: false,
      openAiErrors: true,
      request: { params },
      responses: answers(200, ModelResponse, { description: "The model server's own answer", example: RESPONSE }),
    }),
    async (c) => asAnswer(await passOn(c, { ...c.req.valid("param"), method: "POST", below: "/cancel" })),
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/responses/{responseId}/input_items",
      operationId: "responses.listInputItems",
      summary: "List the input of a response that the model server keeps",
      description: KEPT,
      permission: "read",
      session: "nowhere",
      keysOnly: true,
      openAiErrors: true,
      request: { params },
      responses: answers(200, InputItems, { description: "The model server's own answer", example: INPUT_ITEMS }),
    }),
    async (c) => asAnswer(await passOn(c, { ...c.req.valid("param"), method: "GET", below: "/input_items" })),
  );

/** OpenAI's operations whose paths the router would take for a stored response. */
export const NOT_OFFERED = ["POST /v1/responses/compact", "POST /v1/responses/input_tokens"];

type Stored = { responseId: string; method: "GET" | "POST" | "DELETE"; below?: "/cancel" | "/input_items" };

async function passOn(c: Context<RestEnv>, { responseId, method, below }: Stored): Promise<Response> {
  const { headers, signal, url } = c.req.raw;
  const path = `/responses/${encodeURIComponent(responseId)}${below ?? ""}${new URL(url).search}` as const;
  return passed(await passStoredResponse(c.var.ctx, { path, method, headers: headersToUpstream(headers), signal }));
}
