import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { withMemory } from "@edgewise/ai-sdk";
import { Edgewise } from "@edgewise/client";
import { generateText } from "ai";

const { EDGEWISE_URL = "http://127.0.0.1:8787", EDGEWISE_KEY = "" } = process.env;
// A model server with OpenAI's API: here the stand-in of the README, which repeats the memory that it is sent.
const { MODEL_URL = "http://127.0.0.1:11436/v1", MODEL_KEY = "", MODEL = "echo" } = process.env;

const client = new Edgewise({ baseUrl: EDGEWISE_URL, token: EDGEWISE_KEY });
const models = createOpenAICompatible({ name: "models", baseURL: MODEL_URL, apiKey: MODEL_KEY });
const model = withMemory(models(MODEL), { client, userId: "alice", sessionId: "dinner" });

const { text } = await generateText({ model, prompt: "What should I cook tonight, given what I may not eat?" });
console.log(text);
