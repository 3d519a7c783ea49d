import { type CallOptions, type GenerateResult, Reply, type ReplyPart, type StreamResult } from "./model.ts";
import { observeStream } from "./observe-stream.ts";
import { type MemoryOptions, report } from "./options.ts";
import { createRecall, type MemoryState } from "./recall.ts";
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
  /** Whether memory is on, by the transformed parameters of a call. */
  const states = new WeakMap<CallOptions, MemoryState>();
  const open = (params: CallOptions) => {
    const state = states.get(params) ?? "unknown";
    return state === "off" ? () => undefined : openExchange(params, { ...options, state });
  };
  return {
    specificationVersion: "v3",
    async transformParams({ params }) {
      const { block, state } = await recall(params);
      const transformed = block === "" ? { ...params } : withSystemMessage(params, block);
      states.set(transformed, state);
      return transformed;
    },
    async wrapGenerate({ doGenerate, params }) {
      const end = open(params);
      try {
        const result = await doGenerate();
        end(replyOf(result, options));
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

/** Null, and reported, if the model's answer has another form: the app gets it as it is. */
function replyOf({ content, finishReason }: GenerateResult, options: MemoryOptions): string | null {
  try {
    const reply = new Reply();
    for (const part of content) reply.add(part);
    reply.finish(finishReason);
    return reply.text();
  } catch (error) {
    report(options, error, "storing");
    return null;
  }
}

/** What a model refused is not stored, because it is sent again. Who aborts has said what they said. */
function unanswered({ abortSignal }: CallOptions): string | null {
  return abortSignal?.aborted === true ? "" : null;
}

/**
 * The same call with memory at the end of its first system message, because many models take one, at the beginning; without one, with one
 * more message, which every version of the AI SDK writes so.
 */
function withSystemMessage<P extends CallOptions>(params: P, content: string): P {
  const at = params.prompt.findIndex((message) => message.role === "system" && typeof message.content === "string");
  if (at === -1) return { ...params, prompt: [{ role: "system", content }, ...params.prompt] };
  const joined = params.prompt.map((message, i) =>
    i === at ? { ...message, content: `${String(message.content)}\n\n${content}` } : message,
  );
  return { ...params, prompt: joined };
}

/** The same result; its stream has the same parts. */
function withStream<R extends StreamResult>(result: R, stream: ReadableStream<ReplyPart>): R {
  return { ...result, stream };
}
