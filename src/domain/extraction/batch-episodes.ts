import type { Zone } from "#core/local-time";
import { labelled } from "#core/text/labelled";
import { withoutMemory } from "#core/text/memory-fence";
import { isOwnLabel } from "#core/text/normalize";
import type { StoredMessage } from "#db/schema/sessions";
import type { TranscriptMessage } from "./model/types.ts";
import { type EpisodeToRead, type Participant, type Place, presenceKey } from "./read-episodes.ts";
import { messagesBySpeaker } from "./speakers.ts";

/** Consecutive episodes of one session that a model reads together; nobody joined or left between them. */
export type Run = { place: Place; episodes: readonly EpisodeToRead[] };

/** A model extracts more from short inputs, so it reads a few exchanges at once. */
const MAX_CHARACTERS = 6_000;
const MAX_EPISODES = 8;

export function batchEpisodes(episodes: readonly EpisodeToRead[]): Run[] {
  const runs: { place: Place; episodes: EpisodeToRead[] }[] = [];
  let room = 0;
  for (const episode of episodes) {
    const size = episode.messages.reduce((sum, { text }) => sum + text.length, 0);
    const run = runs.at(-1);
    const fits = run !== undefined && isSamePlace(run.place, episode.place) && size <= room;
    if (run !== undefined && fits && run.episodes.length < MAX_EPISODES) run.episodes.push(episode);
    else {
      runs.push({ place: episode.place, episodes: [episode] });
      room = MAX_CHARACTERS;
    }
    room -= size;
  }
  return runs;
}

function isSamePlace(a: Place, b: Place): boolean {
  return a.sessionId === b.sessionId && presenceKey(a.people) === presenceKey(b.people);
}

/** One speaker's part of a run: what a model is shown, and from which messages it may extract. */
export type Part = {
  speaker: Participant;
  transcript: TranscriptMessage[];
  /** The speaker's own messages, by index in the transcript. */
  spoken: Map<number, { episode: EpisodeToRead; message: StoredMessage }>;
  /** The episode of every message of the run, by index in the transcript. */
  episodes: Map<number, EpisodeToRead>;
};

/**
 * The transcript of a run for each of its speakers, after a few earlier messages for context. Messages of others and earlier ones are not
 * in `spoken`: nothing that a model quotes from them is stored.
 */
export function partsOf(run: Run, earlier: readonly StoredMessage[]): Part[] {
  const bySpeaker = run.episodes.map((episode) => ({ episode, bySpeaker: messagesBySpeaker(episode).bySpeaker }));
  const names = new Map(run.place.kind === "group" ? run.place.people.map(({ userId, name }) => [userId, name]) : []);
  const nameOf = ({ userId, speaker }: StoredMessage) =>
    (userId === undefined ? undefined : names.get(userId)) ?? (speaker === null ? null : labelled(speaker));
  const zones = new Map(run.place.people.map(({ userId, timeZone }) => [userId, timeZone]));
  const zoneOf = ({ offset, userId }: StoredMessage, user?: Participant): Zone => ({
    offset: offset ?? null,
    timeZone: zones.get(user?.userId ?? userId ?? 0) ?? null,
  });
  const speakers = new Map(bySpeaker.flatMap((of) => of.bySpeaker.map(({ user }) => [user.userId, user] as const)));
  return [...speakers.values()].map((speaker) => {
    const transcript = earlier.map((message, index) =>
      toTranscript(message, { index, name: nameOf(message), zone: zoneOf(message) }),
    );
    const part: Part = { speaker, transcript, spoken: new Map(), episodes: new Map() };
    for (const { episode, bySpeaker: said } of bySpeaker) {
      const saidBy = new Map(said.flatMap(({ user, messages }) => messages.map(({ index }) => [index, user] as const)));
      for (const [place, message] of episode.messages.entries()) {
        const index = transcript.length;
        const user = saidBy.get(place);
        const name = run.place.kind === "group" ? (user?.name ?? nameOf(message)) : nameInPrivate(message, user);
        transcript.push(toTranscript(message, { index, name, zone: zoneOf(message, user) }));
        part.episodes.set(index, episode);
        if (user?.userId === speaker.userId) part.spoken.set(index, { episode, message });
      }
    }
    return part;
  });
}

/** In private there is one user, who needs no name but may be called by one of theirs. */
function nameInPrivate({ speaker }: StoredMessage, user: Participant | undefined): string | null {
  if (speaker === null) return null;
  if (user === undefined) return labelled(speaker);
  return isOwnLabel(speaker, user.names) ? speaker : null;
}

function toTranscript(
  { role, text, occurredAt }: StoredMessage,
  { index, name, zone }: { index: number; name: string | null; zone: Zone },
): TranscriptMessage {
  return { index, role, speaker: name, text: withoutMemory(text), at: occurredAt, zone };
}
