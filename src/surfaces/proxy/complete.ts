import type { Context } from "hono";
import { forgetBeforeReply, hideRepeated } from "#domain/forgetting";
import {
  askUpstream,
  type CompletionPlan,
  decideCompletion,
  endsWithRequest,
  storeExchange,
  upstreamName,
} from "#domain/injection";
import { getSettingsEvenStale } from "#domain/settings";
import { refuseOtherUsers } from "#domain/tenants";
import { countUsage } from "#domain/usage";
import type { RestEnv } from "#surfaces/rest/rest-env";
import { headersFromUpstream, memoryHeader } from "./answers.ts";
import type { ModelRequest } from "./model-request.ts";
import { openReply } from "./open-reply.ts";
import { type ProxyHeaders, readPlace, usersNamed } from "./place.ts";
import { refuseReferences, whyNoReferences } from "./refuse-references.ts";
import { relay } from "./relay.ts";
import { createReplyReader, type ReplyReader, readReply } from "./reply-reader.ts";
import { headersToUpstream, setMember, spliceBody } from "./to-upstream.ts";

/** The client has disconnected; nginx's status for it. */
const CLIENT_LEFT = 499;

/**
 * One reply in a conversation: answered from facts, or sent to the tenant's model server with the memory block in it and streamed back. The
 * exchange is stored afterwards.
 */
export async function complete(c: Context<RestEnv>, request: ModelRequest, headers: ProxyHeaders): Promise<Response> {
  const { ctx } = c.var;
  const { body, messages } = request;
  refuseOtherUsers(ctx, usersNamed({ headers, body }));
  refuseReferences(ctx, body);
  const exchange = openExchange(c, request);
  const gone = new AbortController();
  const signal = AbortSignal.any([c.req.raw.signal, gone.signal]);
  try {
    const settings = await getSettingsEvenStale(ctx);
    const model = upstreamName(settings, body.model);
    const completion = {
      readPlace: () => readPlace(ctx, { headers, body }),
      model: model ?? String(body.model ?? ""),
      messages,
      takesPlainAnswer: request.takesPlainAnswer,
      metadata: body.metadata,
      placement: headers["x-edgewise-placement"],
    };
    const memory = headers["x-edgewise-memory"];
    const wanted = { memory: memory !== "off", sideRequests: memory === "on" };
    const forgot =
      wanted.memory && endsWithRequest(completion, settings, wanted)
        ? await forgetBeforeReply(ctx, { readPlace: completion.readPlace, messages, continues: request.continues })
        : [];
    const completionPlan = await decideCompletion(ctx, completion, wanted);
    exchange.completionPlan(completionPlan, { forgot: forgot.map(({ id }) => id) });
    if (signal.aborted) return exchange.left();
    if (completionPlan.answer !== null) return exchange.answerWith(completionPlan.answer);
    // Byte by byte as it came. Who may not refer to everything has it sent as it was parsed here: then the model server cannot read anything
    // else in it, such as the first of two fields of one name.
    const text = spliceBody(whyNoReferences(ctx) === null ? await c.req.text() : JSON.stringify(body), [
      ...(model === null ? [] : [setMember("model", model)]),
      ...(completionPlan.insertion === null ? [] : request.insertBlock(completionPlan.insertion)),
    ]);
    const call = { path: request.path, body: text, headers: headersToUpstream(c.req.raw.headers), signal };
    return await exchange.passOn(await askUpstream(ctx, settings, call), gone);
  } catch (error) {
    if (signal.aborted) return exchange.left();
    exchange.end(null);
    throw error;
  }
}

/**
 * The exchange, from before its place is known until it ends in any way; then it is stored. The deferred work is registered at the
 * beginning, because when the client disconnects everything that is not deferred is cancelled, including the handler of the disconnect.
 */
function openExchange(c: Context<RestEnv>, { messages, continues, reply: format, writeAnswer }: ModelRequest) {
  const { ctx, requestId } = c.var;
  const { signal } = c.req.raw;
  /** Null for a request that was refused. */
  const { promise: decided, resolve: completionPlan } = Promise.withResolvers<CompletionPlan | null>();
  /** The reply as far as it was received; null if there was no exchange. */
  const { promise: ended, resolve } = Promise.withResolvers<string | null>();
  let reader: ReplyReader | null = null;
  let headers: Record<string, string> = {};
  let forgettings: readonly string[] = [];
  const end = (reply: string | null) => {
    resolve(reply);
    if (reply === null) completionPlan(null);
  };
  const leave = () => end(reader?.text() ?? "");
  // A signal that is already aborted fires no event.
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave);
  ctx.defer(async () => {
    const [reply, place] = [await ended, (await decided)?.place ?? null];
    if (reply === null || place === null) return;
    const episodes = await storeExchange(ctx, { place, messages, reply, continues });
    await hideRepeated(ctx, { forgettings, episodes, userId: place.userId });
  });
  const count = () => ctx.defer(() => countUsage(ctx, { completions: 1 }));
  return {
    end,
    completionPlan(made: CompletionPlan, { forgot }: { forgot: readonly string[] }): void {
      forgettings = forgot;
      headers = {
        "x-edgewise-memory": memoryHeader(made.memory),
        ...(forgot.length > 0 ? { "x-edgewise-forgot": forgot.join(", ") } : {}),
      };
      completionPlan(made);
    },
    /** Without a plan the place is unknown, and nothing is stored. */
    left(): Response {
      completionPlan(null);
      return new Response(null, { status: CLIENT_LEFT });
    },
    answerWith({ text, found }: { text: string; found: boolean }): Response {
      count();
      end(found ? text : "");
      const created = Math.floor(ctx.now() / 1000);
      const answer = writeAnswer({ requestId, created, text });
      if ("whole" in answer) return Response.json(answer.whole, { headers });
      const type = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };
      return new Response(answer.events, { headers: { ...headers, ...type } });
    },
    /** @throws upstream_failed as `openReply` does. */
    async passOn(answer: Response, gone: AbortController): Promise<Response> {
      const passed = new Headers([...headersFromUpstream(answer.headers), ...Object.entries(headers)]);
      const init = { status: answer.status, headers: passed };
      if (!answer.ok) {
        end(null);
        return new Response(answer.body, init);
      }
      const opened = await openReply(answer);
      count();
      if (opened.kind === "whole") {
        end(readReply(opened.json, format));
        return new Response(opened.bytes, init);
      }
      const reading = createReplyReader(format);
      reader = reading;
      const watch = {
        chunk: reading.add,
        end: () => end(reading.text()),
        leave: () => gone.abort(),
        isWanted: () => !signal.aborted && !gone.signal.aborted,
      };
      return new Response(relay(opened.body, watch), init);
    },
  };
}
