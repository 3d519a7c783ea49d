import { type Answering, type ChatBody, measured } from "#test/chat-answers";

type Form = "openai" | "legacy";

/** Some models of the catalogue, of both forms. */
const CHAT_MODELS: Record<string, { form: Form; context: number }> = {
  "@cf/meta/llama-3.3-70b-instruct-fp8-fast": { form: "legacy", context: 24_000 },
  "@cf/openai/gpt-oss-20b": { form: "legacy", context: 128_000 },
  "@cf/google/gemma-4-26b-a4b-it": { form: "openai", context: 256_000 },
  "@cf/zai-org/glm-4.7-flash": { form: "openai", context: 131_072 },
  "@cf/newcomer/model-of-the-old-form": { form: "legacy", context: 8_000 },
  "@cf/meta/llama-of-the-new-form": { form: "openai", context: 8_000 },
};

/** The default `max_tokens` of models of the older form. */
const LEGACY_TOKENS = 256;

const KEYS: Record<Form, readonly string[]> = {
  legacy: ["messages", "prompt", "max_tokens", "temperature", "response_format", "seed", "top_p", "stream"],
  openai: ["messages", "max_tokens", "max_completion_tokens", "temperature", "response_format", "seed", "top_p", "stream"],
};

export type Refuse = (code: number, message: string) => Error;

/** The reply of a simulated chat model, or undefined for one that is none. Refuses the other form's parameters. */
export function simulatedChat(
  name: string,
  inputs: Record<string, unknown>,
  how: { answering: Answering; refuse: Refuse },
): unknown {
  const model = CHAT_MODELS[name];
  if (model === undefined) return undefined;
  const body = { model: name, ...inputs } as ChatBody;
  const fault = faultOf(model.form, inputs, body);
  if (fault !== undefined) throw how.refuse(5006, `Error: ${fault}: ${JSON.stringify(inputs)}`);
  const given = how.answering(body);
  const whole = typeof given === "string" ? { content: given } : given;
  const limited = model.form === "legacy" ? { ...body, max_tokens: body.max_tokens ?? LEGACY_TOKENS } : body;
  const received = measured(whole, limited);
  if (received.usage.prompt_tokens > model.context)
    throw how.refuse(5021, "The estimated number of input tokens exceeded the limit");
  return model.form === "legacy" ? legacyReply(received, body) : completion(received, name);
}

function faultOf(form: Form, inputs: Record<string, unknown>, { messages }: ChatBody): string | undefined {
  const unknown = Object.keys(inputs).find((key) => !KEYS[form].includes(key));
  if (unknown !== undefined) return `additional property ${unknown}`;
  if (!Array.isArray(messages) || messages.some(({ role, content }) => typeof role !== "string" || typeof content !== "string"))
    return "messages have to hold role and content";
  const format = inputs.response_format;
  if (format === undefined) return undefined;
  const { type, json_schema: schema } = format as { type?: unknown; json_schema?: Record<string, unknown> };
  if (type !== "json_schema" || schema === undefined) return "response_format";
  const named = typeof schema.name === "string" && typeof schema.schema === "object";
  return named === (form === "openai") ? undefined : "response_format.json_schema";
}

type Measured = ReturnType<typeof measured>;

function legacyReply({ content, reasoning, usage }: Measured, { response_format }: ChatBody) {
  const total = { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens };
  return { response: response_format === undefined ? content : parsed(content), ...(reasoning && { reasoning }), usage: total };
}

/** With a schema, the older form returns the parsed content. */
function parsed(content: string | null): unknown {
  try {
    return JSON.parse(content ?? "");
  } catch {
    return content;
  }
}

function completion({ content, reasoning, refusal, finishReason, usage }: Measured, model: string) {
  return {
    id: "chatcmpl-test",
    object: "chat.completion",
    model,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content, refusal: refusal ?? null, reasoning_content: reasoning ?? null },
        finish_reason: finishReason,
      },
    ],
    usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens },
  };
}
