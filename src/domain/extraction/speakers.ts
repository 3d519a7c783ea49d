import type { StoredMessage } from "#db/schema/sessions";
import { authorOf } from "#domain/sessions";
import type { EpisodeToRead, Participant, Place } from "./read-episodes.ts";

/** `left`: whoever said it takes part no more. `unknown`: it is nobody's own statement. `nobody`: no user speaks. */
export type Speaker = { is: "user"; user: Participant } | { is: "left" | "unknown" | "nobody" };

/** Whose statement a message is, see `authorOf`; whoever has left is not taken at their word any more. */
export function speakerOf(
  message: Pick<StoredMessage, "role" | "speaker" | "userId">,
  { place, by }: { place: Place; by: number | null },
): Speaker {
  if (message.role !== "user") return { is: "nobody" };
  const sender = place.kind === "private" ? place.ownerId : by;
  const userOf = (id: number | null) => place.people.find(({ userId }) => userId === id);
  const sentBy = userOf(sender);
  const author = authorOf(message, { userId: sender, names: sentBy === undefined ? [] : [sentBy.name, sentBy.externalId] });
  if (author === null) return { is: "unknown" };
  const user = userOf(author);
  return user?.takesPart === true ? { is: "user", user } : { is: "left" };
}

/** One user's messages of an episode, each with its place in the episode. */
export type SpeakerMessages = { user: Participant; messages: { message: StoredMessage; index: number }[] };

/** The messages of an episode by who said them, and of how many nobody is known who may be taken at their word. */
export function messagesBySpeaker({ messages, place, by }: EpisodeToRead): {
  bySpeaker: SpeakerMessages[];
  left: number;
  unknown: number;
} {
  const said = messages.map((message, index) => ({ message, index, speaker: speakerOf(message, { place, by }) }));
  const bySpeaker = new Map<number, SpeakerMessages>();
  for (const { message, index, speaker } of said) {
    if (speaker.is !== "user") continue;
    const speakerMessages = bySpeaker.get(speaker.user.userId) ?? { user: speaker.user, messages: [] };
    speakerMessages.messages.push({ message, index });
    bySpeaker.set(speaker.user.userId, speakerMessages);
  }
  const ofKind = (kind: Speaker["is"]) => said.filter(({ speaker }) => speaker.is === kind).length;
  return { bySpeaker: [...bySpeaker.values()], left: ofKind("left"), unknown: ofKind("unknown") };
}
