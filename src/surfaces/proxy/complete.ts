import type { Context } from "hono";
import { askUpstream, type Plan, planCompletion, storeExchange, upstreamName } from "#domain/injection";
import { getSettingsEvenStale } from "#domain/settings";
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
  const settings = await getSettingsEvenStale(ctx);
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
  const exchange = openExchange(c, body, plan);
  if (plan.answer !== null) return exchange.answerWith(plan.answer);
  const gone = new AbortController();
  const signal = AbortSignal.any([c.req.raw.signal, gone.signal]);
  try {
    const text = await bodyToSend(c, { body, model, plan });
    const call = { path: "/chat/completions", body: text, headers: headersToUpstream(c.req.raw.headers), signal } as const;
    return exchange.passOn(await askUpstream(ctx, settings, call), gone);
  } catch (error) {
    if (signal.aborted) return new Response(null, { status: CLIENT_LEFT });
    exchange.end(null);
    throw error;
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

/**
 * The exchange until its end, whichever comes: then it is stored. What is deferred holds it open from the beginning on, because a client
 * that leaves ends everything else at once, and the news that it left too.
 */
function openExchange(c: Context<RestEnv>, body: CompletionBody, plan: Plan) {
  const { ctx, requestId } = c.var;
  const { place } = plan;
  const headers = { "x-edgewise-memory": memoryHeader(plan.memory) };
  /** The reply as far as it came; null for an exchange that never was. */
  const { promise: ended, resolve: end } = Promise.withResolvers<string | null>();
  let reader: ReplyReader | null = null;
  c.req.raw.signal.addEventListener("abort", () => end(reader?.text() ?? ""));
  if (place !== null) {
    ctx.defer(async () => {
      const reply = await ended;
      if (reply !== null) await storeExchange(ctx, { place, messages: body.messages, reply });
    });
  }
  const count = () => ctx.defer(() => countUsage(ctx, { completions: 1 }));
  return {
    end,
    answerWith(text: string): Response {
      count();
      end(text);
      const created = Math.floor(ctx.now() / 1000);
      const answer = { id: `chatcmpl-${requestId}`, created, model: body.model, text, n: body.n ?? 1 };
      if (body.stream !== true) return Response.json(toCompletion(answer), { headers });
      const type = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };
      return new Response(toEvents(answer, wantsUsage(body)), { headers: { ...headers, ...type } });
    },
    passOn(answer: Response, gone: AbortController): Response {
      const passed = new Headers([...headersFromUpstream(answer.headers), ...Object.entries(headers)]);
      if (!answer.ok || answer.body === null) {
        end(null);
        return new Response(answer.body, { status: answer.status, headers: passed });
      }
      count();
      const reading = createReplyReader(answer.headers.get("content-type"));
      reader = reading;
      const watch = {
        chunk: reading.add,
        end: () => end(reading.text()),
        leave: () => gone.abort(),
        isWanted: () => !c.req.raw.signal.aborted && !gone.signal.aborted,
      };
      return new Response(relay(answer.body, watch), { status: answer.status, headers: passed });
    },
  };
}
