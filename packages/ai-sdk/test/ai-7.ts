import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { memoryMiddleware, withMemory } from "@edgewise/ai-sdk";
import { generateText, stepCountIs, streamText, wrapLanguageModel } from "ai";
import type { Asked, Sdk } from "./sdk.ts";

/** The same file as that of the other version, but for its imports: what users write fits both. */
export const ai7: Sdk = {
  name: "AI SDK 7",
  chat(url, memory, { wrapped = false } = {}) {
    const local = createOpenAICompatible({ name: "local", baseURL: url })("echo");
    const model = wrapped ? wrapLanguageModel({ model: local, middleware: memoryMiddleware(memory) }) : withMemory(local, memory);
    const callOf = ({ instructions, messages, tools, signal }: Asked) => ({
      model,
      ...(instructions === undefined ? {} : { system: instructions }),
      messages,
      maxRetries: 0,
      stopWhen: stepCountIs(5),
      ...(tools === undefined ? {} : { tools }),
      ...(signal === undefined ? {} : { abortSignal: signal }),
    });
    return {
      generate: async (asked) => (await generateText(callOf(asked))).text,
      stream: (asked) => streamText({ ...callOf(asked), onError: () => undefined }).textStream,
    };
  },
};
