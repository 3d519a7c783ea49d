import type { MemoryOptions, memoryTools } from "@edgewise/ai-sdk";
import { z } from "zod";

type Message = { role: "user" | "assistant"; content: string };

/** A tool of an app's own. */
export const weather = {
  description: "Tells the weather in a city",
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }: { city: string }) => `Rain in ${city}`,
};

export type Tools = { weather: typeof weather } | ReturnType<typeof memoryTools>;
export type Asked = { instructions?: string; messages: Message[]; tools?: Tools; signal?: AbortSignal };

/** One version of the AI SDK, with a model behind an OpenAI-compatible server. */
export type Sdk = {
  name: string;
  /** `wrapped`: by the version's own `wrapLanguageModel` instead of `withMemory`. */
  chat(url: string, memory: MemoryOptions, how?: { wrapped?: boolean }): Chat;
};

export type Chat = {
  generate(asked: Asked): Promise<string>;
  stream(asked: Asked): AsyncIterable<string>;
};
