import { memoryMiddleware } from "./memory-middleware.ts";
import type { CallOptions, Model } from "./model.ts";
import type { MemoryOptions } from "./options.ts";

/**
 * A language model with a user's memory: what is known of them is put before each prompt, and what was said is stored when the reply has
 * ended. Make one for each user and conversation. A failure of memory is reported, and the model is asked without it.
 *
 * @example
 * const { text } = await generateText({
 *   model: withMemory(openai("gpt-5-mini"), { client, userId: "alice", sessionId: "chat-1" }),
 *   prompt: "What is my cat called?",
 * });
 */
export function withMemory<M extends Model>(model: M, options: MemoryOptions): M {
  if (typeof model !== "object" || model === null)
    throw new TypeError('withMemory needs a model, such as openai("gpt-5-mini"), and not the name of one.');
  for (const name of ["client", "userId", "sessionId"] as const)
    if (!options?.[name]) throw new TypeError(`withMemory needs ${name}.`);
  const { transformParams, wrapGenerate, wrapStream } = memoryMiddleware(options);
  const wrapped: Model = {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    async doGenerate(call: CallOptions) {
      const params = await transformParams({ params: call });
      return await wrapGenerate({ doGenerate: () => model.doGenerate(params), params });
    },
    async doStream(call: CallOptions) {
      const params = await transformParams({ params: call });
      return await wrapStream({ doStream: () => model.doStream(params), params });
    },
  };
  return asModel<M>(wrapped);
}

/** Has what the AI SDK's own `wrapLanguageModel` leaves of a model: everything that its specification names, under the same version. */
function asModel<M extends Model>(wrapped: Model): M {
  return wrapped as M;
}
