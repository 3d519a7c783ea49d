import { createLexicalEmbedder } from "#adapters/lexical-embedder";
import type { WorkersAiBinding } from "#adapters/workers-ai-failure";
import { type Answering, echo } from "#test/chat-answers";
import { simulatedChat } from "#test/simulated-chat-models";

type Model = { dimensions: number; maxBatch: number; keys: readonly string[]; optional: readonly string[] };

/** Forms and limits of the catalogue's schemas. */
const MODELS: Record<string, Model> = {
  "@cf/qwen/qwen3-embedding-0.6b": {
    dimensions: 1024,
    maxBatch: 32,
    keys: ["queries", "documents", "text"],
    optional: ["instruction"],
  },
  "@cf/baai/bge-small-en-v1.5": { dimensions: 384, maxBatch: 100, keys: ["text"], optional: ["pooling"] },
  "@cf/baai/bge-large-en-v1.5": { dimensions: 1024, maxBatch: 100, keys: ["text"], optional: ["pooling"] },
  "@cf/baai/bge-m3": { dimensions: 1024, maxBatch: 100, keys: ["text"], optional: ["truncate_inputs"] },
  "@cf/pfnet/plamo-embedding-1b": { dimensions: 2048, maxBatch: 32, keys: ["text"], optional: [] },
};

/** Not every model scales its vectors. */
const LENGTH = 3;

export type AiMisbehaviour = Error | "hang" | { reply: unknown };
export type AiCall = { model: string; inputs: Record<string, unknown> };

/**
 * Simulates `env.AI` with lexical vectors and with answers that a test defines. Refuses unknown models, other forms of input, empty texts
 * and batches that are too large.
 */
export class SimulatedWorkersAi implements WorkersAiBinding {
  readonly calls: AiCall[] = [];
  readonly #misbehaviours: AiMisbehaviour[];
  readonly #answering: Answering;

  constructor(misbehaviours: readonly AiMisbehaviour[] = [], answering: Answering = echo) {
    this.#misbehaviours = [...misbehaviours];
    this.#answering = answering;
  }

  async run(name: string, inputs: Record<string, unknown>, { signal }: { signal?: AbortSignal } = {}): Promise<unknown> {
    this.calls.push({ model: name, inputs });
    const misbehaviour = this.#misbehaviours.shift();
    if (misbehaviour instanceof Error) throw misbehaviour;
    if (misbehaviour === "hang") return await never(signal);
    if (misbehaviour) return misbehaviour.reply;
    const chat = simulatedChat(name, inputs, { answering: this.#answering, refuse: aiError });
    if (chat !== undefined) return chat;
    const model = MODELS[name];
    if (model === undefined) throw aiError(5007, `No such model ${name} or task`);
    const texts = textsOf(model, inputs);
    const data = await createLexicalEmbedder(model).embed(texts, "document");
    return { shape: [data.length, model.dimensions], data: data.map((vector) => Array.from(vector, (value) => value * LENGTH)) };
  }
}

/** An error as the binding throws it. */
export function aiError(code: number, message: string): Error {
  const error = new Error(`${code}: ${message}`);
  error.name = "InferenceUpstreamError";
  return error;
}

function textsOf(model: Model, inputs: Record<string, unknown>): string[] {
  const [key, ...others] = Object.keys(inputs).filter((name) => !model.optional.includes(name));
  const refuse = () => aiError(5006, `Error: oneOf at '/' not met: ${JSON.stringify(inputs)}`);
  if (key === undefined || others.length > 0 || !model.keys.includes(key)) throw refuse();
  const texts = inputs[key];
  if (!Array.isArray(texts) || texts.length === 0 || texts.length > model.maxBatch) throw refuse();
  return texts.map((text) => {
    if (typeof text !== "string" || text.length === 0) throw refuse();
    return text;
  });
}

function never(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
}
