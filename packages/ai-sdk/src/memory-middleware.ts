import { type CallOptions, type GenerateResult, Reply, type ReplyPart, type StreamResult } from "./model.ts";
import { observeStream } from "./observe-stream.ts";
import { type MemoryOptions, report } from "./options.ts";
import { createRecall, isMemoryOn, type Recalled } from "./recall.ts";
import { openExchange } from "./store-exchange.ts";

/** A middleware for `wrapLanguageModel` of the AI SDK 6 and 7, which has the type of both. */
export type MemoryMiddleware = {
  readonly specificationVersion: "v3";
  transformParams<P extends CallOptions>(call: { params: P }): Promise<P>;
  wrapGenerate<R extends GenerateResult>(call: { doGenerate: () => PromiseLike<R>; params: CallOptions }): Promise<R>;
  wrapStream<R extends StreamResult>(call: { doStream: () => PromiseLike<R>; params: CallOptions }): Promise<R>;
};

/** Puts what is known of a user before each prompt, and stores what was said when the reply has ended. */
export function memoryMiddleware(options: MemoryOptions): MemoryMiddleware {
  const recall = createRecall(options);
  /** Whether memory is switched on, by the transformed parameters of a call. */
  const states = new WeakMap<CallOptions, Recalled["memory"]>();
  const open = (params: CallOptions) => {
    const state = states.get(params);
    if (state === "off") return () => undefined;
    return openExchange(params, options, async () => state === "on" || (await isMemoryOn(options)));
  };
  /** Null for an answer in a form that is not known, which is passed on all the same. */
  const readReply = (result: GenerateResult) => {
    try {
      return replyOf(result);
    } catch (error) {
      report(options, error, "storing");
      return null;
    }
  };
  return {
    specificationVersion: "v3",
    async transformParams({ params }) {
      const { block, memory } = await recall(params);
      const transformed = block === "" ? { ...params } : withSystemMessage(params, block);
      states.set(transformed, memory);
      return transformed;
    },
    async wrapGenerate({ doGenerate, params }) {
      const end = open(params);
      try {
        const result = await doGenerate();
        end(readReply(result));
        return result;
      } catch (error) {
        end(unanswered(params));
        throw error;
      }
    },
    async wrapStream({ doStream, params }) {
      const end = open(params);
      try {
        const result = await doStream();
        return withStream(result, observeStream(result.stream, { signal: params.abortSignal, onEnd: end }));
      } catch (error) {
        end(unanswered(params));
        throw error;
      }
    },
  };
}

function replyOf({ content, finishReason }: GenerateResult): string | null {
  const reply = new Reply();
  for (const part of content) reply.add(part);
  reply.finish(finishReason);
  return reply.text();
}

/** What a model refused is not stored, because it is sent again. Who aborts has said what they said. */
function unanswered({ abortSignal }: CallOptions): string | null {
  return abortSignal?.aborted === true ? "" : null;
}

/** The same call with one more message, which every version of the AI SDK writes so. */
function withSystemMessage<P extends CallOptions>(params: P, content: string): P {
  return { ...params, prompt: [{ role: "system", content }, ...params.prompt] };
}

/** The same result; its stream has the same parts. */
function withStream<R extends StreamResult>(result: R, stream: ReadableStream<ReplyPart>): R {
  return { ...result, stream };
}
