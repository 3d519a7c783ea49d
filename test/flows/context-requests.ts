import type { ContextView } from "#domain/injection";
import type { Answer, Harness, Request } from "#test/harness";
import type { Answered } from "./memory-requests.ts";

type Extra = Record<string, unknown>;

/** What is recalled for a question or a whole input; with the profile only if the input asks for it. */
export async function contextFor(h: Harness, asked: Extra | string, request: Request = {}): Promise<Answered<ContextView>> {
  const input = typeof asked === "string" ? { query: asked } : asked;
  return await h.fetch("POST", "/v1/context", { ...request, body: { profile: false, ...input } });
}

export function textsIn(answer: Answer<ContextView>): string[] {
  return answer.json.items.map(({ content }) => content);
}

/** The lines of the block that are items. */
export function linesOf(answer: Answer<ContextView>): string[] {
  return answer.json.block.split("\n").filter((line) => line.startsWith("[M"));
}

export async function set(h: Harness, settings: Extra): Promise<void> {
  const { status, text } = await h.fetch("PATCH", "/v1/settings", { body: settings });
  if (status !== 200) throw new Error(text);
}
