import { createRoute, z } from "@hono/zod-openapi";
import { listModels } from "#domain/injection";
import { answers, body, secured } from "#surfaces/rest/answers";
import { createRouter } from "#surfaces/rest/router";
import { headersFromUpstream } from "./answers.ts";
import { complete } from "./complete.ts";
import { CompletionBody, CompletionHeaders } from "./read-request.ts";
import { headersToUpstream } from "./to-upstream.ts";

const tags = ["proxy"];

const Completion = z
  .looseObject({ id: z.string(), object: z.string(), choices: z.array(z.looseObject({ index: z.number().int() })) })
  .meta({ id: "ChatCompletion", description: "OpenAI's chat completion; with `stream`, server-sent events of its chunks" });

const Models = z
  .object({ object: z.literal("list"), data: z.array(z.looseObject({ id: z.string() })) })
  .meta({ id: "ModelList", description: "OpenAI's list of models" });

export const proxyRoutes = createRouter()
  .openapi(
    createRoute({
      method: "post",
      path: "/v1/chat/completions",
      tags,
      security: secured,
      summary: "A chat completion of the tenant's model server, with memory before it and stored after it (permission: write)",
      request: { headers: CompletionHeaders, ...body(CompletionBody) },
      responses: answers(
        200,
        Completion,
        "The model server's own answer, byte by byte; x-edgewise-memory says what became of memory",
      ),
    }),
    async (c) => asAnswer(await complete(c, { body: c.req.valid("json"), headers: c.req.valid("header") })),
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/v1/models",
      tags,
      security: secured,
      summary: "The models of the tenant's model server, and the tenant's own names for them (permission: read)",
      responses: answers(200, Models, "The models"),
    }),
    async (c) => {
      const call = { headers: headersToUpstream(c.req.raw.headers), signal: c.req.raw.signal };
      const listed = await listModels(c.var.ctx, call);
      if ("models" in listed) return c.json({ object: "list" as const, data: listed.models }, 200);
      const { body, status, headers } = listed.refused;
      return asAnswer(new Response(body, { status, headers: headersFromUpstream(headers) }));
    },
  );

/** The route's types describe our own answers; this one is another server's and may be anything. */
function asAnswer(response: Response): never {
  return response as never;
}
