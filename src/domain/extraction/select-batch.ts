import { withoutMemory } from "#core/text/memory-fence";
import { lastOfKeys } from "./last-of-keys.ts";
import type { EpisodeToRead } from "./read-episodes.ts";
import { messagesBySpeaker } from "./speakers.ts";
import type { Batch, Finding, Read } from "./store-batch.ts";
import { takeOwn } from "./take-own.ts";

/** What one run may store, weighed by `weightOf`, and so what may be taken from one episode: an invocation may make a thousand statements. */
export const ROOM_A_RUN = 60;

/** As many of the episodes, in order, as there is room for what they say; none if there is not room for the first. */
export function selectBatch(episodes: readonly EpisodeToRead[], room: number): Batch {
  const batch: Batch = { read: [], findings: [] };
  let left = room;
  for (const episode of episodes) {
    const { read, findings } = readOne(episode);
    left -= weightOf(findings);
    if (left < 0) break;
    batch.read.push(read);
    batch.findings.push(...findings);
  }
  return batch;
}

function readOne(episode: EpisodeToRead): { read: Read; findings: Finding[] } {
  const said = messagesBySpeaker(episode);
  const all = said.bySpeaker.flatMap((speakerMessages): Finding[] => {
    const spoken = speakerMessages.messages.map(({ message }) => ({ role: "user" as const, text: withoutMemory(message.text) }));
    return takeOwn(spoken).map((taken) => ({ episode, speakerMessages, taken }));
  });
  const last = lastOfKeys(all, {
    nameOf: ({ speakerMessages, taken }) =>
      taken.key === null ? null : JSON.stringify([speakerMessages.user.userId, taken.isOfGroup, taken.key]),
    atOf: ({ speakerMessages, taken }) => speakerMessages.messages[taken.messageIndex]?.message.occurredAt ?? 0,
  });
  let room = ROOM_A_RUN;
  const findings = last.filter((finding) => {
    room -= weightOf([finding]);
    return room >= 0;
  });
  const counts = { overtaken: all.length - last.length, tooMany: last.length - findings.length };
  return { read: { episode, ...said, ...counts }, findings };
}

/** About ten statements a unit: what has a key may need a call of its own, and a person is one. */
export function weightOf(findings: readonly Finding[]): number {
  return findings.reduce((sum, { taken }) => sum + (taken.key === null ? 1 : 3) + taken.people.length, 0);
}
