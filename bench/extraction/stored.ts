import { toPreview } from "../../src/domain/extraction/preview.ts";
import { takeStatements } from "../../src/domain/extraction/take-statements.ts";
import { DEFAULT_SETTINGS } from "../../src/domain/settings/defaults.ts";

export const DEFAULT_THRESHOLD = DEFAULT_SETTINGS.extractionThreshold;

/** The speaker of a message in a private session without a project. */
const SPEAKER = {
  userId: 1,
  externalId: "speaker",
  personId: 1,
  personPublicId: "per_speaker",
  name: "speaker",
  names: [],
  keys: [],
  takesPart: true,
  isMember: false,
  tookPart: true,
  hadJoined: true,
};
const PLACE = { sessionId: 1, externalId: "session", kind: "private", ownerId: 1, project: null, people: [SPEAKER] } as const;
const EPISODE = { id: 1, publicId: "episode", messages: [], place: PLACE, range: 0, by: 1, redactions: 0 };

/** A statement of a message, when its memory ends (null: never), and why it is not stored as a memory that is recalled (null if it is). */
export type Statement = { type: string; content: string; expiresAt: string | null; reason: string | null };

/** What rules and judge take from one user's message, by the product's own functions and default settings. */
export function statementsOf(text: string, at = Date.now()): Statement[] {
  const from = { episode: EPISODE, speaker: SPEAKER, settings: DEFAULT_SETTINGS, now: Date.now(), message: 0, people: [] };
  return takeStatements([{ role: "user", text }]).map(({ aboutSpeaker, ...taken }) => {
    const { type, content, expiresAt, reason } = toPreview({ ...taken, about: { people: [], speaker: aboutSpeaker }, at }, from);
    return { type, content, expiresAt, reason };
  });
}

/** The contents that are stored from a message that is sent now. */
export function storedFrom(text: string): string[] {
  return statementsOf(text).flatMap(({ content, reason }) => (reason === null ? [content] : []));
}
