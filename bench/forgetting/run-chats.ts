import { z } from "zod";
import { askContext, inParallel } from "../context/client.ts";
import { has } from "../context/score.ts";
import { call, jobsDone, type Service } from "../quality/service-client.ts";

const Chat = z.object({ id: z.string(), lang: z.string(), turns: z.array(z.string()) });

/** A message after a chat that asks for nothing to be forgotten. */
export const Ordinary = Chat.extend({ kind: z.string().default(""), ordinary: z.string() });

/** After the request nothing that is read may have words of `gone`, and everything of `kept` is still read. */
export const Request = Chat.extend({ request: z.string(), gone: z.array(z.string()), kept: z.array(z.string()).default([]) });

export type Ordinary = z.infer<typeof Ordinary>;
export type Request = z.infer<typeof Request>;

/** What a chat showed, by name; `failure` says what was wrong, null for nothing. */
export type Outcome = { id: string; lang: string; is: Readonly<Record<string, boolean>>; failure: string | null };

const JOBS_TIMEOUT_MS = 900_000;
const REDACTED = "\u2588";
const AT_ONCE = 6;
const TRIES = 5;
const TURN_MS = 60_000;
/** All that is said was said within the last day. */
const START = Date.now() - 86_400_000;

const Forgettings = z.object({ items: z.array(z.object({ id: z.string() })) });
const Memories = z.object({
  items: z.array(z.object({ id: z.string(), content: z.string(), supersededBy: z.string().nullable() })),
});
const Episodes = z.object({ items: z.array(z.object({ messages: z.array(z.object({ content: z.string() })) })) });
const Hits = z.object({ hits: z.array(z.object({ content: z.string() })) });

/** What a user can read: memories, passages that a search shows, and messages of the session in order. */
type Seen = { memories: z.infer<typeof Memories>["items"]; passages: string[]; messages: string[] };

/** Whether each ordinary message took anything: a forgetting, words of a message, a memory, or a passage out of the search. */
export async function runOrdinary(service: Service, run: string, chats: readonly Ordinary[]): Promise<Outcome[]> {
  const userOf = ({ id }: Ordinary) => `${run}-o-${id}`;
  await sendTurns(service, chats, userOf);
  const before = await inParallel(chats, (chat) => look(service, userOf(chat)), AT_ONCE);
  await inParallel(chats, (chat) => say(service, userOf(chat), chat.turns.length, chat.ordinary), AT_ONCE);
  await jobsDone(service, JOBS_TIMEOUT_MS);
  return await inParallel(
    chats.map((chat, i) => ({ chat, was: before[i] })),
    async ({ chat, was }) => {
      const userId = userOf(chat);
      const now = await look(service, userId);
      const { items: forgettings } = Forgettings.parse(await call(service, "GET", `/v1/forgettings?userId=${userId}`));
      const gone = (was?.memories ?? []).filter(({ id }) => !now.memories.some((one) => one.id === id));
      const inHistory = await inParallel(gone, ({ id }) => isInHistory(service, userId, id));
      const known = new Set(gone.flatMap(({ id }, i) => (inHistory[i] === true ? [id] : [])));
      const updated = gone.filter(({ id }) => known.has(id)).length > 0;
      const lost = [
        ...(forgettings.length > 0 ? [`${forgettings.length} forgettings`] : []),
        ...now.messages.flatMap((text) => (text.includes(REDACTED) ? [`redacted: ${text}`] : [])),
        ...gone.flatMap(({ id, content }) => (known.has(id) ? [] : [`memory: ${content}`])),
      ];
      const unseen = [...(was?.passages ?? []), chat.ordinary].filter((text) => !isAmong(text, now.passages));
      // A passage that an update replaced is out of sight too, which is not what is measured here.
      if (!updated) lost.push(...unseen.map((text) => `not found: ${text}`));
      const failure =
        lost.length === 0 ? null : `[${chat.kind}] ${chat.ordinary} -> ${lost.join(" | ")} <- ${chat.turns.join(" / ")}`;
      return { id: chat.id, lang: chat.lang, failure, is: { taken: lost.length > 0, "hidden by an update": updated } };
    },
    AT_ONCE,
  );
}

/** Whether each request hid all that it means, and left the rest. */
export async function runRequests(service: Service, run: string, chats: readonly Request[]): Promise<Outcome[]> {
  const userOf = ({ id }: Request) => `${run}-r-${id}`;
  await sendTurns(service, chats, userOf);
  await inParallel(chats, (chat) => say(service, userOf(chat), chat.turns.length, chat.request), AT_ONCE);
  await jobsDone(service, JOBS_TIMEOUT_MS);
  return await inParallel(
    chats,
    async (chat) => {
      const userId = userOf(chat);
      const { memories, passages, messages } = await look(service, userId);
      const query = chat.gone.join(" ");
      const searched = Hits.parse(await call(service, "POST", "/v1/search", { userId, query, limit: 50, maxTokens: 8000 }));
      const { block } = await askContext(service, { userId, query, maxTokens: 4000 });
      const read = [
        ...memories.map(({ content }) => content),
        ...passages,
        ...searched.hits.map(({ content }) => content),
        block,
      ];
      // The message that asks stays in its episode, where it may name what was meant, and is in no search.
      const history = messages.filter((text) => text !== chat.request);
      const left = chat.gone.filter((words) => [...read, ...history].some((text) => has(text, words)));
      const lost = chat.kept.filter((words) => !isAmong(words, [...passages, ...memories.map(({ content }) => content)]));
      const failures = [
        ...(left.length === 0 ? [] : [`still read: ${left.join(", ")}`]),
        ...(lost.length === 0 ? [] : [`lost: ${lost.join(", ")}`]),
      ];
      const failure = failures.length === 0 ? null : `${chat.request} -> ${failures.join(" | ")} <- ${chat.turns.join(" / ")}`;
      const is = {
        "all hidden": left.length === 0,
        ...(chat.kept.length === 0 ? {} : { "rest kept": lost.length === 0 }),
        both: failure === null,
      };
      return { id: chat.id, lang: chat.lang, failure, is };
    },
    AT_ONCE,
  );
}

/** The turns of each chat one after the other, until what they say is learned. */
async function sendTurns<T extends { turns: readonly string[] }>(
  service: Service,
  chats: readonly T[],
  userOf: (chat: T) => string,
): Promise<void> {
  const sendAll = async (chat: T) => {
    for (const [turn, text] of chat.turns.entries()) await say(service, userOf(chat), turn, text);
  };
  await inParallel(chats, sendAll, AT_ONCE);
  await jobsDone(service, JOBS_TIMEOUT_MS);
}

/** Whether a memory is still readable as one that was replaced or ended. */
async function isInHistory(service: Service, userId: string, id: string): Promise<boolean> {
  try {
    await call(service, "GET", `/v1/memories/${id}/history?userId=${userId}`);
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes(": 404")) return false;
    throw error;
  }
}

/** A connection that the local runtime loses while jobs run is tried again: a message with an id is stored once. */
async function say(service: Service, userId: string, turn: number, text: string): Promise<void> {
  const said = { role: "user", content: text, messageId: `m${turn}`, occurredAt: new Date(START + turn * TURN_MS).toISOString() };
  for (let tries = 1; ; tries += 1) {
    try {
      await call(service, "POST", `/v1/sessions/${userId}/episodes`, { userId, messages: [said] });
      return;
    } catch (error) {
      if (tries === TRIES || !(error instanceof Error) || !/: 500 *$|fetch failed/u.test(error.message)) throw error;
    }
  }
}

async function look(service: Service, userId: string): Promise<Seen> {
  const memories = Memories.parse(await call(service, "GET", `/v1/memories?userId=${userId}&limit=100&stats=false`)).items;
  const recent = { userId, query: "", strategy: "recent", kinds: ["episode"], limit: 100, maxTokens: 8000 };
  const passages = Hits.parse(await call(service, "POST", "/v1/search", recent)).hits.map(({ content }) => content);
  const path = `/v1/sessions/${userId}/episodes?userId=${userId}&limit=100`;
  const { items } = Episodes.parse(await call(service, "GET", path));
  return { memories, passages, messages: items.flatMap((episode) => episode.messages.map(({ content }) => content)) };
}

/** Whether one of the texts has these words, or is a part of them (a long message is several passages). */
function isAmong(words: string, texts: readonly string[]): boolean {
  return texts.some((text) => has(text, words) || (text.length > 0 && words.includes(text)));
}
