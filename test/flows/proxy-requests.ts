import type { Answer, Harness } from "#test/harness";
import { history, type Problem } from "./requests.ts";

export type OpenAiProblem = Problem & { error: { message: string; type: string; code: string; param: string | null } };

export type Completion = OpenAiProblem & {
  id: string;
  object: string;
  created: number;
  model: string;
  choices: { index: number; message: { role: string; content: string | null }; finish_reason: string }[];
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
};

export type Turn = { role: string; content?: unknown; [name: string]: unknown };

type Wish = { headers?: Record<string, string>; key?: string; body?: Record<string, unknown> };

/** A chat completion by alice; a text is her only message. */
export async function chat(h: Harness, messages: string | Turn[], wish: Wish = {}): Promise<Answer<Completion>> {
  return await h.fetch<Completion>("POST", "/v1/chat/completions", {
    body: {
      model: "echo",
      messages: typeof messages === "string" ? [{ role: "user", content: messages }] : messages,
      ...wish.body,
    },
    headers: { "x-edgewise-user": "alice", ...wish.headers },
    ...(wish.key === undefined ? {} : { key: wish.key }),
  });
}

/** What a session holds, each message as `role: text`, when everything that was deferred is done. */
export async function talkOf(h: Harness, session: string, user = "alice"): Promise<string[][]> {
  await h.settle();
  const answer = await history(h, session, `?userId=${encodeURIComponent(user)}&limit=100`);
  return answer.json.items?.map(({ messages }) => messages.map(({ role, content }) => `${role}: ${content}`)) ?? [];
}

export async function setUpstream(h: Harness, upstream: Record<string, unknown> | null): Promise<Answer<Problem>> {
  return await h.fetch<Problem>("PATCH", "/v1/settings", { body: { upstream } });
}
