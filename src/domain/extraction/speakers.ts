import { nameKey } from "#core/text/name-key";
import type { StoredMessage } from "#db/schema/sessions";
import type { EpisodeToRead, Participant, Place } from "./read-episodes.ts";

/** `left`: whoever said it takes part no more. `unknown`: nobody, or more than one, goes by that name. `nobody`: no user speaks. */
export type Speaker = { is: "user"; user: Participant } | { is: "left" | "unknown" | "nobody" };

/**
 * Who said a message of the role `user`: the one participant, past ones counted, who goes by its speaker's name; without a name, whoever
 * sent it.
 */
export function speakerOf(message: Pick<StoredMessage, "role" | "speaker">, said: { place: Place; by: number | null }): Speaker {
  if (message.role !== "user") return { is: "nobody" };
  const { place, by } = said;
  const sender = place.kind === "private" ? place.ownerId : by;
  const key = message.speaker === null ? null : nameKey(message.speaker);
  const named = place.people.filter(({ userId, keys }) => (key === null ? userId === sender : keys.includes(key)));
  const [user] = named;
  if (user === undefined && key === null && sender !== null) return { is: "left" };
  if (user === undefined || named.length > 1) return { is: "unknown" };
  return user.takesPart ? { is: "user", user } : { is: "left" };
}

/** One user's messages of an episode, each with its place in the episode. */
export type Share = { user: Participant; messages: { message: StoredMessage; index: number }[] };

/** The messages of an episode by who said them, and of how many nobody is known who may be taken at their word. */
export function sharesOf({ messages, place, by }: EpisodeToRead): { shares: Share[]; left: number; unknown: number } {
  const said = messages.map((message, index) => ({ message, index, speaker: speakerOf(message, { place, by }) }));
  const shares = new Map<number, Share>();
  for (const { message, index, speaker } of said) {
    if (speaker.is !== "user") continue;
    const share = shares.get(speaker.user.userId) ?? { user: speaker.user, messages: [] };
    share.messages.push({ message, index });
    shares.set(speaker.user.userId, share);
  }
  const ofKind = (kind: Speaker["is"]) => said.filter(({ speaker }) => speaker.is === kind).length;
  return { shares: [...shares.values()], left: ofKind("left"), unknown: ofKind("unknown") };
}
