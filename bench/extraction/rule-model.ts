import { takeMemories } from "../../src/domain/extraction/rules/take-memories.ts";
import type { Answering } from "../../test/support/chat-answers.ts";
import { startChatServer } from "../../test/support/chat-server.ts";

/**
 * Answers like a model that knows only our rules: it reads the transcript from the prompt and follows the schema. It shows that the way to
 * a model and back works, and says nothing about any model.
 */
export const answerByRules: Answering = (body) => {
  const prompt = String(body.messages.findLast(({ role }) => role === "user")?.content);
  const lines = /<transcript>\n([\s\S]*)\n<\/transcript>/.exec(prompt)?.[1]?.split("\n") ?? [];
  const messages = lines.map((line): { role: "user" | "assistant"; text: string } => JSON.parse(line));
  const memories = takeMemories(messages).map((memory) => ({
    type: memory.type,
    content: memory.content,
    quote: messages[memory.messageIndex]?.text.slice(memory.start, memory.end) ?? "",
    confidence: memory.confidence,
    sensitivity: memory.sensitivity,
    portable: true,
    subjects: memory.people.length > 0 ? memory.people.map(({ name }) => name) : ["speaker"],
    key: memory.key,
    replaces: [],
  }));
  return JSON.stringify({ memories, people: [] });
};

/** `node bench/extraction/rule-model.ts [port]` */
if (import.meta.main) {
  const { url } = await startChatServer({ port: Number(process.argv[2] ?? "11437"), answering: answerByRules });
  console.log(`Rules that answer as a model, at ${url}`);
}
