import type { Context } from "hono";
import { askUpstream, type Plan, planCompletion, storeExchange, upstreamName } from "#domain/injection";
import { getSettings } from "#domain/settings";
import { countUsage } from "#domain/usage";
import type { RestEnv } from "#surfaces/rest/router";
import { headersFromUpstream, headersToUpstream, memoryHeader } from "./pass-headers.ts";
import { createReplyReader, type ReplyReader } from "./read-reply.ts";
import { type CompletionBody, type CompletionHeaders, readPlace, takesPlainAnswer, wantsUsage } from "./read-request.ts";
import { relay } from "./relay.ts";
import { toCompletion, toEvents } from "./write-completion.ts";

type Request = { body: CompletionBody; headers: CompletionHeaders };

/** Nobody is there any more to read an answer; nginx's number for it. */
const CLIENT_LEFT = 499;

/** One chat completion: recalled or answered from facts, else put to the tenant's model server, passed on as it comes, and stored. */
export async function complete(c: Context<RestEnv>, { body, headers }: Request): Promise<Response> {
  const { ctx } = c.var;
  const settings = await getSettings(ctx);
  const model = upstreamName(settings, body.model);
  const plan = await planCompletion(
    ctx,
    {
      ...readPlace(headers, body, ctx.actor.id),
      model,
      messages: body.messages,
      takesPlainAnswer: takesPlainAnswer(body),
    },
    { memory: headers["x-edgewise-memory"]?.trim().toLowerCase() !== "off" },
  );
  const exchange = createExchange(c, body, plan);
  if (plan.answer !== null) return exchange.answerWith(plan.answer);
  const gone = new AbortController();
  const signal = AbortSignal.any([c.req.raw.signal, gone.signal]);
  const text = await bodyToSend(c, { body, model, plan });
  try {
    const call = { path: "/chat/completions", body: text, headers: headersToUpstream(c.req.raw.headers), signal } as const;
    return exchange.passOn(await askUpstream(ctx, settings, call), gone);
  } catch (error) {
    if (!signal.aborted) throw error;
    exchange.store("");
    return new Response(null, { status: CLIENT_LEFT });
  }
}

/** The client's own bytes if nothing is changed; else its fields in their order, with other messages or another name of the model. */
async function bodyToSend(
  c: Context<RestEnv>,
  { body, model, plan }: { body: CompletionBody; model: string; plan: Plan },
): Promise<string> {
  const text = await c.req.text();
  if (plan.messages === body.messages && model === body.model) return text;
  const given: Record<string, unknown> = JSON.parse(text);
  return JSON.stringify({ ...given, model, messages: plan.messages });
}

function createExchange(c: Context<RestEnv>, body: CompletionBody, plan: Plan) {
  const { ctx, requestId } = c.var;
  const { place } = plan;
  const memory = memoryHeader(plan.memory);
  const count = () => ctx.defer(() => countUsage(ctx, { completions: 1 }));
  const store = (reply: string) => {
    if (place !== null) ctx.defer(() => storeExchange(ctx, { place, messages: body.messages, reply }));
  };
  /** Held open from the reply's first byte on, because a client that leaves half-way ends everything that nobody waits for. */
  const storeAtEnd = (reader: ReplyReader, ended: Promise<void>) => {
    if (place === null) return;
    ctx.defer(async () => {
      await ended;
      await storeExchange(ctx, { place, messages: body.messages, reply: reader.text() });
    });
  };
  return {
    store,
    answerWith(text: string): Response {
      count();
      store(text);
      const created = Math.floor(ctx.now() / 1000);
      const answer = { id: `chatcmpl-${requestId}`, created, model: body.model, text, n: body.n ?? 1 };
      const headers = { "x-edgewise-memory": memory };
      if (body.stream !== true) return Response.json(toCompletion(answer), { headers });
      const type = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };
      return new Response(toEvents(answer, wantsUsage(body)), { headers: { ...headers, ...type } });
    },
    passOn(answer: Response, gone: AbortController): Response {
      const headers = headersFromUpstream(answer.headers);
      headers.set("x-edgewise-memory", memory);
      if (!answer.ok || answer.body === null) return new Response(answer.body, { status: answer.status, headers });
      count();
      const reader = createReplyReader(answer.headers.get("content-type"));
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      storeAtEnd(reader, ended);
      c.req.raw.signal.addEventListener("abort", () => end());
      const watch = { chunk: reader.add, end, leave: () => gone.abort() };
      return new Response(relay(answer.body, watch), { status: answer.status, headers });
    },
  };
}
