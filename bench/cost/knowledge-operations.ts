import type { Request } from "./client.ts";
import type { MemoryViewer } from "./memory-world.ts";
import type { Operation } from "./operations.ts";
import { QUESTIONS, questions } from "./questions.ts";

const VALUES = ["Blue", "Green", "Black"];

/** The reads before a reply, and answers without a model. The lists that are stored first are the ones that are asked for. */
export function knowledgeOperationsOf({ user, end }: MemoryViewer): Operation[] {
  const post = (path: string, body: object): Request => ({ method: "POST", path, body: { userId: user, ...body } });
  const ofUser = QUESTIONS_OF_FACTS.map((question) => post("/v1/answer", { question }));
  const session = `lists-of-${user}`;
  return [
    {
      name: "context",
      embeds: true,
      requests: questions((a, b, c) => `Do I bring the ${a} or the ${b} to the ${c}${end}`).map((query) =>
        post("/v1/context", { query }),
      ),
    },
    {
      name: "append an episode with a list of three",
      embeds: false,
      requests: times(QUESTIONS, (i) =>
        post(`/v1/sessions/${session}/episodes`, { messages: [{ role: "user", content: listOf("colors", i) }] }),
      ),
    },
    {
      name: "store three facts",
      embeds: false,
      requests: times(QUESTIONS, (i) => post("/v1/facts", { facts: factsOf(i) })),
    },
    { name: "answer from a session's facts", embeds: false, requests: ofUser.map((asked) => inSession(asked, session)) },
    { name: "answer from a user's facts", embeds: false, requests: ofUser },
    {
      name: "a question that facts do not answer",
      embeds: false,
      requests: times(QUESTIONS, (i) => post("/v1/answer", { question: `What shall we have for dinner${"?".repeat(i + 1)}` })),
    },
  ];
}

const QUESTIONS_OF_FACTS = times(QUESTIONS, (i) => `What's my ${["first", "second", "third"][i % 3]} favorite color?`);

function inSession(request: Request, sessionId: string): Request {
  return { ...request, body: { ...request.body, sessionId } };
}

function listOf(noun: string, i: number): string {
  return `My favorite ${noun} are ${VALUES.map((value, rank) => `${rank + 1}) ${value} ${i}`).join(", ")}`;
}

function factsOf(i: number): object[] {
  return VALUES.map((value, rank) => ({ topic: "favorite_colors", kind: "ranked", rank: rank + 1, value: `${value} ${i}` }));
}

function times<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i));
}
