import { z } from "zod";
import { call, type Service } from "../quality/service-client.ts";
import type { BeamChat, BeamMessage } from "./chats.ts";
import { type QuestionScore, scoreQuestion } from "./score-question.ts";

const EPISODES_PER_CALL = 20;
/** The service's limit for one message. */
const MAX_CHARACTERS = 64_000;
const CONTEXT_TOKENS = 1_000;

const Appended = z.object({ items: z.array(z.object({ id: z.string() })) });
const Learned = z.object({ episodeId: z.string().nullable() }).nullable();
const Memories = z.object({
  items: z.array(z.object({ id: z.string(), learnedIn: Learned })),
  nextCursor: z.string().nullable(),
});
const Hits = z.object({
  hits: z.array(
    z.object({
      message: z.object({ messageId: z.string().nullable() }).nullable(),
      memory: z.object({ learnedIn: Learned }).nullable(),
    }),
  ),
});
const Context = z.object({
  items: z.array(z.object({ kind: z.string(), id: z.string() })),
  explain: z.object({ leftOut: z.array(z.object({ id: z.string(), why: z.string() })) }),
});

/** The messages of a chat by the ids of their episodes. */
export type Sent = ReadonlyMap<string, BeamMessage>;

export type Asked = {
  category: string;
  evidence: string[];
  score: QuestionScore;
  /** Of evidence that is not in the context: why. */
  notShown: string[];
};

/** Sends a chat as an app would, its sessions in order; each message is an episode, so that a memory names the message that it was learned from. */
export async function sendChat(service: Service, userId: string, { sessions }: BeamChat): Promise<Sent> {
  const sent = new Map<string, BeamMessage>();
  for (const [number, session] of sessions.entries()) {
    for (let i = 0; i < session.length; i += EPISODES_PER_CALL) {
      const part = session.slice(i, i + EPISODES_PER_CALL);
      const episodes = part.map(({ id, role, text, occurredAt }) => ({
        messages: [{ role, content: text.slice(0, MAX_CHARACTERS), messageId: id, occurredAt: occurredAt.toISOString() }],
      }));
      const answer = await call(service, "POST", `/v1/sessions/${userId}-${number}/episodes`, { userId, episodes });
      for (const [place, { id }] of Appended.parse(answer).items.entries()) {
        const message = part[place];
        if (message !== undefined) sent.set(id, message);
      }
    }
  }
  return sent;
}

/** The messages that the user's memories were learned from, by the ids of the memories. */
export async function learnedFrom(service: Service, userId: string, sent: Sent): Promise<Map<string, string | undefined>> {
  const learned = new Map<string, string | undefined>();
  for (let cursor: string | null = ""; cursor !== null; ) {
    const path = `/v1/memories?userId=${userId}&limit=100&stats=false${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`;
    const page: z.infer<typeof Memories> = Memories.parse(await call(service, "GET", path));
    for (const { id, learnedIn } of page.items) learned.set(id, sent.get(learnedIn?.episodeId ?? "")?.id);
    cursor = page.nextCursor;
  }
  return learned;
}

type From = { userId: string; sent: Sent; memories: ReadonlyMap<string, string | undefined> };

/** Asks every question outside the chat's sessions, one at a time. */
export async function askQuestions(service: Service, { questions }: BeamChat, from: From): Promise<Asked[]> {
  const { userId, sent, memories } = from;
  const learned = new Set([...memories.values()].filter((id) => id !== undefined));
  const asked: Asked[] = [];
  for (const { category, text: query, evidence } of questions) {
    const found = await call(service, "POST", "/v1/search", { query, userId, limit: 20, maxTokens: 8_000 });
    const searched = Hits.parse(found).hits.flatMap(
      ({ message, memory }) => message?.messageId ?? sent.get(memory?.learnedIn?.episodeId ?? "")?.id ?? [],
    );
    const both = await readContext(service, { query }, from);
    const alone = await readContext(service, { query, kinds: ["memory"] }, from);
    const context = { memories: both.memories, episodes: both.episodes };
    const score = scoreQuestion({ evidence, searched: [...new Set(searched)], context, memoriesAlone: alone.memories, learned });
    const missed = evidence.filter((id) => !both.memories.has(id) && !both.episodes.has(id));
    asked.push({ category, evidence, score, notShown: missed.map((id) => both.leftOut.get(id) ?? "not found") });
  }
  return asked;
}

async function readContext(service: Service, body: object, { userId, sent, memories }: From) {
  const asked = { ...body, userId, maxTokens: CONTEXT_TOKENS, explain: true };
  const { items, explain } = Context.parse(await call(service, "POST", "/v1/context", asked));
  const idsOf = (kind: string, messageOf: (id: string) => string | undefined) =>
    new Set(items.flatMap((item) => (item.kind === kind ? (messageOf(item.id) ?? []) : [])));
  const leftOut = explain.leftOut.map(({ id, why }) => [memories.get(id) ?? sent.get(id)?.id ?? "", why] as const);
  return {
    memories: idsOf("memory", (id) => memories.get(id)),
    episodes: idsOf("episode", (id) => sent.get(id)?.id),
    leftOut: new Map(leftOut),
  };
}
