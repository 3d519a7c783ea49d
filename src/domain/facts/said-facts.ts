import type { Ctx } from "#context";
import { holdsLabelledSecret } from "#core/safety/refuse-secrets";
import { withoutMemory } from "#core/text/memory-fence";
import { getSettings } from "#domain/settings";
import { words } from "./languages.ts";
import { type ListMessage, listMessagesIn } from "./list-messages.ts";
import { readLists } from "./read-lists.ts";
import { MAX_RANK, MAX_VALUE_CHARACTERS } from "./schemas.ts";
import type { TopicIndex } from "./topics.ts";
import { topicIndexOf } from "./topics-of.ts";

/** Lists of different topics or speakers that one append may bring; of more, the latest count. */
const MAX_LISTS = 200;

/** Placeholder for the internal id of the acting user, who may not have one yet. */
export const ACTING_USER = 0;

/** A user's message of an append. `offset` counts the chunks of the call before its episode. */
export type SaidMessage = {
  text: string;
  /** Internal id of the user whose statement it is, or `ACTING_USER`. */
  userId: number;
  /** Conversation time in Unix milliseconds. */
  occurredAt: number;
  messageId: string | null;
  offset: number;
  /** Its place in its episode. */
  ordinal: number;
};

/** Whose it is (see `SaidMessage`), what of, when it was said and where. */
type Said = { userId: number; topic: string; at: number; messageId: string | null; offset: number };

/** The facts in the messages of one append, each slot once. */
export type SaidFacts = {
  slots: (Said & { rank: number; value: string })[];
  /** The latest whole list of each topic, which replaces everything older. */
  wholes: Said[];
  /** The last topic of each speaker. */
  last: Said[];
};

/** What the messages of an append say of facts and of lists. */
export type SaidInAppend = SaidFacts & { lists: ListMessage[] };

type List = { whole: Said | null; slots: Map<number, SaidFacts["slots"][number]> };

/**
 * The ranked lists in these messages, reduced to the final values: of two for the same slot the later wins, by conversation time and then
 * by order.
 */
export function saidFacts(messages: readonly SaidMessage[], topicIndex: TopicIndex): SaidFacts | null {
  const lists = new Map<string, List>();
  const last = new Map<number, Said>();
  for (const message of messages.toSorted((a, b) => a.occurredAt - b.occurredAt)) {
    const { userId } = message;
    for (const { topic, items, whole } of readLists(withoutMemory(message.text), topicIndex)) {
      const kept = items.filter(
        ({ rank, value }) =>
          rank <= MAX_RANK &&
          value.length <= MAX_VALUE_CHARACTERS &&
          !(namesSecrets(topic) && holdsLabelledSecret(topic, value) !== null),
      );
      if (kept.length === 0) continue;
      const said = { userId, topic, at: message.occurredAt, messageId: message.messageId, offset: message.offset };
      const key = JSON.stringify([userId, topic]);
      const before = lists.get(key);
      const list: List = before === undefined || whole ? { whole: whole ? said : null, slots: new Map() } : before;
      for (const item of kept) list.slots.set(item.rank, { ...said, ...item });
      lists.delete(key);
      lists.set(key, list);
      last.set(userId, said);
    }
  }
  if (lists.size === 0) return null;
  const latest = [...lists.values()].slice(-MAX_LISTS);
  return {
    slots: latest.flatMap(({ slots }) => [...slots.values()]),
    wholes: latest.flatMap(({ whole }) => whole ?? []),
    last: [...last.values()],
  };
}

/** Values of which a topic makes a secret, if it makes one of any: a password, a PIN and a key. */
const SAMPLES = ["Xk9#mQ2v", "4821", "9f8e7d6c5b4a3f2e1d0c9b"];
const known = new Map<string, boolean>();
const MAX_KNOWN = 1_024;

/** Whether a topic's noun is a name for secrets, so that its values are searched for secrets. */
function namesSecrets(topic: string): boolean {
  const before = known.get(topic);
  if (before !== undefined) return before;
  if (known.size >= MAX_KNOWN) known.clear();
  const names = SAMPLES.some((value) => holdsLabelledSecret(topic, value) !== null);
  known.set(topic, names);
  return names;
}

const OF_ONES_OWN = new RegExp(words("mine"), "iu");

/** Whether a text has one of the words that every list of favourites has. Most messages have none, and are skipped. */
export function mayHaveLists(text: string): boolean {
  return OF_ONES_OWN.test(text);
}

const NO_FACTS: SaidFacts = { slots: [], wholes: [], last: [] };

/**
 * The facts and the lists that the messages of an append state or may change; a future time counts as now, so that it does not outlast later
 * ones. Null if there are none, and if the tenant has disabled extraction.
 */
export async function readSaid(
  ctx: Ctx<"db" | "caches" | "now">,
  messages: readonly SaidMessage[],
  session: { /** Whether a list was stated in it. */ hasLists: boolean },
): Promise<SaidInAppend | null> {
  if (messages.length === 0) return null;
  const now = ctx.now();
  const clamped = messages.map((message) => ({ ...message, occurredAt: Math.min(message.occurredAt, now) }));
  const spoken = clamped.map(({ text, userId, occurredAt, offset, ordinal }) => ({
    text: withoutMemory(text),
    userId,
    at: occurredAt,
    offset,
    ordinal,
  }));
  const lists = listMessagesIn(spoken, session);
  const likely = clamped.filter(({ text }) => mayHaveLists(text));
  if (likely.length === 0 && lists.length === 0) return null;
  const [settings, topicIndex] = await Promise.all([getSettings(ctx), topicIndexOf(ctx)]);
  if (!settings.enabled || settings.extraction === "off") return null;
  const facts = likely.length === 0 ? null : saidFacts(likely, topicIndex);
  return facts === null && lists.length === 0 ? null : { ...(facts ?? NO_FACTS), lists };
}
