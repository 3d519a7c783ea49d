import type { Context } from "hono";
import { askUpstream, type CompletionPlan, decideCompletion, storeExchange, upstreamName } from "#domain/injection";
import { getSettingsEvenStale } from "#domain/settings";
import { refuseOtherUsers } from "#domain/tenants";
import { countUsage } from "#domain/usage";
import type { RestEnv } from "#surfaces/rest/rest-env";
import { headersFromUpstream, headersToUpstream, memoryHeader } from "./pass-headers.ts";
import { createReplyReader, type ReplyReader } from "./read-reply.ts";
import {
  type CompletionBody,
  type CompletionHeaders,
  choicesOf,
  readPlace,
  takesPlainAnswer,
  usersNamed,
  wantsUsage,
} from "./read-request.ts";
import { relay } from "./relay.ts";
import { spliceBody } from "./splice-body.ts";
import { toCompletion, toEvents } from "./write-completion.ts";

type Request = { body: CompletionBody; headers: CompletionHeaders };

/** Nobody is there any more to read an answer; nginx's number for it. */
const CLIENT_LEFT = 499;

/** One chat completion: recalled or answered from facts, else put to the tenant's model server, passed on as it comes, and stored. */
export async function complete(c: Context<RestEnv>, { body, headers }: Request): Promise<Response> {
  const { ctx } = c.var;
  refuseOtherUsers(ctx, usersNamed({ headers, body }));
  const exchange = openExchange(c, body);
  const gone = new AbortController();
  const signal = AbortSignal.any([c.req.raw.signal, gone.signal]);
  try {
    const settings = await getSettingsEvenStale(ctx);
    const model = upstreamName(settings, body.model);
    const completion = {
      readPlace: () => readPlace(ctx, { headers, body }),
      model: model ?? String(body.model ?? ""),
      messages: body.messages,
      takesPlainAnswer: takesPlainAnswer(body),
    };
    const completionPlan = await decideCompletion(ctx, completion, {
      memory: headers["x-edgewise-memory"] !== "off",
    });
    exchange.completionPlan(completionPlan);
    if (signal.aborted) return exchange.left();
    if (completionPlan.answer !== null) return exchange.answerWith(completionPlan.answer);
    // Every byte that is not changed goes up as it came.
    const text = spliceBody(await c.req.text(), { model, ahead: completionPlan.ahead });
    const call = { path: "/chat/completions", body: text, headers: headersToUpstream(c.req.raw.headers), signal } as const;
    return exchange.passOn(await askUpstream(ctx, settings, call), gone);
  } catch (error) {
    if (signal.aborted) return exchange.left();
    exchange.end(null);
    throw error;
  }
}

/**
 * The exchange from before its place is known until its end, whichever comes: then it is stored. What is deferred holds it open from the
 * beginning on, because a client that leaves ends everything else at once, and the news that it left too.
 */
function openExchange(c: Context<RestEnv>, body: CompletionBody) {
  const { ctx, requestId } = c.var;
  const { signal } = c.req.raw;
  /** Null where there is none, because the request was refused. */
  const { promise: decided, resolve: completionPlan } = Promise.withResolvers<CompletionPlan | null>();
  /** The reply as far as it came; null for an exchange that never was. */
  const { promise: ended, resolve } = Promise.withResolvers<string | null>();
  let reader: ReplyReader | null = null;
  let headers: Record<string, string> = {};
  const end = (reply: string | null) => {
    resolve(reply);
    if (reply === null) completionPlan(null);
  };
  const leave = () => end(reader?.text() ?? "");
  // A signal that is aborted already tells nobody.
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave);
  ctx.defer(async () => {
    const [reply, place] = [await ended, (await decided)?.place ?? null];
    if (reply !== null && place !== null) await storeExchange(ctx, { place, messages: body.messages, reply });
  });
  const count = () => ctx.defer(() => countUsage(ctx, { completions: 1 }));
  return {
    end,
    completionPlan(made: CompletionPlan): void {
      headers = { "x-edgewise-memory": memoryHeader(made.memory) };
      completionPlan(made);
    },
    /** Without a plan there was no time to find where it happened, and nothing is stored. */
    left(): Response {
      completionPlan(null);
      return new Response(null, { status: CLIENT_LEFT });
    },
    answerWith({ text, found }: { text: string; found: boolean }): Response {
      count();
      end(found ? text : "");
      const created = Math.floor(ctx.now() / 1000);
      const answer = { id: `chatcmpl-${requestId}`, created, model: String(body.model), text, n: choicesOf(body) ?? 1 };
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
        isWanted: () => !signal.aborted && !gone.signal.aborted,
      };
      return new Response(relay(answer.body, watch), { status: answer.status, headers: passed });
    },
  };
}
