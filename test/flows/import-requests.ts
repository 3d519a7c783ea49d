import type { ImportPartView, ImportView } from "#domain/imports";
import type { Answer, Harness } from "#test/harness";

const FIRST_AT = 1_740_819_600.5;

type Extra = Record<string, unknown>;

/** A node of ChatGPT's tree. */
export function nodeOf(id: string, parent: string | null, message: Extra | null): [string, Extra] {
  return [id, { id, parent, children: [], message }];
}

export function chatMessage(role: string, text: string, extra: Extra = {}): Extra {
  return { author: { role }, content: { content_type: "text", parts: [text] }, create_time: FIRST_AT, ...extra };
}

/** A conversation of ChatGPT in which the user and the assistant take turns. */
export function chatGptConversation(id: string, texts: readonly string[], extra: Extra = {}): Extra {
  const nodes = texts.map((text, i) =>
    nodeOf(
      `${id}-${i}`,
      i === 0 ? `${id}-root` : `${id}-${i - 1}`,
      chatMessage(i % 2 === 0 ? "user" : "assistant", text, { create_time: FIRST_AT + i }),
    ),
  );
  return {
    ...{ id, conversation_id: id, title: `About ${id}`, create_time: FIRST_AT, current_node: `${id}-${texts.length - 1}` },
    mapping: Object.fromEntries([nodeOf(`${id}-root`, null, null), ...nodes]),
    ...extra,
  };
}

export function claudeConversation(uuid: string, texts: readonly string[], extra: Extra = {}): Extra {
  return {
    ...{ uuid, name: `About ${uuid}`, created_at: "2025-03-01T09:00:00.123456+00:00" },
    chat_messages: texts.map((text, i) => ({
      ...{ uuid: `${uuid}-${i}`, sender: i % 2 === 0 ? "human" : "assistant", text },
      created_at: "2025-03-01T09:00:00.123456+00:00",
    })),
    ...extra,
  };
}

/** The id that an import gives what the platform calls so: a user's session, or a project's source. */
export async function idOf(h: Harness, base: string, owner = "me"): Promise<string> {
  const hash = (await h.services().secretBox?.sign(JSON.stringify([h.tenantId, base, owner]), "imports")) ?? "";
  return `${base}:${hash.slice(0, 16)}`;
}

/** Begins an import of the user "me"; `sha` is what its file's hash begins with. */
export async function start(h: Harness, { sha, ...extra }: Extra & { sha: string }): Promise<string> {
  return (await begin(h, { sha, ...extra })).json.id;
}

export async function begin<T = ImportView>(h: Harness, { sha, ...extra }: Extra & { sha: string }): Promise<Answer<T>> {
  const body = { platform: "chatgpt", fileName: "conversations.json", sha256: sha.padEnd(64, "0"), ...extra };
  return await h.fetch<T>("POST", "/v1/imports", { body });
}

export async function part<T = ImportPartView>(
  h: Harness,
  id: string,
  conversations: unknown[],
  extra: Extra = {},
): Promise<Answer<T>> {
  return await h.fetch<T>("POST", `/v1/imports/${id}/parts`, {
    body: { ...(conversations.length === 0 ? {} : { conversations }), ...extra },
  });
}

export async function finish(h: Harness, id: string, extra: Extra = {}): Promise<ImportView> {
  return (await h.fetch<ImportView>("POST", `/v1/imports/${id}/finish`, { body: extra })).json;
}
