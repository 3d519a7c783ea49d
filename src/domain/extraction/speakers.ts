import { withoutMemory } from "#core/text/memory-fence";
import type { StoredMessage } from "#db/schema/sessions";
import { authorOf } from "#domain/sessions";
import { mentionedIn } from "./load-people.ts";
import { isExcluded, isRequested } from "./model/is-excluded.ts";
import type { EpisodeToRead, Participant, Place } from "./read-episodes.ts";
import { withoutRedacted } from "./redacted-text.ts";
import { withoutRequest } from "./requests.ts";
import { type Taken, takeStatements } from "./take-statements.ts";

/** `left`: the author takes part no more. `unknown`: the author is not known. `nobody`: the message is not of a user. */
type Speaker = { is: "user"; user: Participant } | { is: "left" | "unknown" | "nobody" };

/** Whose statement a message is, see `authorOf`. Nothing is extracted from who has left. */
function speakerOf(
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

/** One user's messages of an episode, each with its index in the episode. */
export type SpeakerMessages = { user: Participant; messages: { message: StoredMessage; index: number }[] };

/** The messages of an episode by speaker, and how many have an author who left or is not known. */
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

/** What one speaker stated in their messages, without injected memory and without what the tenant's instructions exclude. */
export function takeFromSpeaker(
  messages: readonly { message: Pick<StoredMessage, "text"> }[],
  { place, instructions }: { place: Place; instructions: string },
): Taken[] {
  const spoken = messages.map(({ message }) => ({
    role: "user" as const,
    text: withoutRedacted(withoutRequest(withoutMemory(message.text))),
  }));
  const matters = (text: string) => mentionedIn(text, place).length > 0 || isRequested(text, instructions);
  return takeStatements(spoken, matters).filter(({ content }) => !isExcluded(content, instructions));
}
