import { takeStatements } from "../../src/domain/extraction/take-statements.ts";
import { toMemoryDraft } from "../../src/domain/extraction/to-memory-draft.ts";

/** The tenant's setting when nothing else is set. */
export const DEFAULT_THRESHOLD = 0.7;

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

/** What rules and judge would store from one user's message that was sent now, by the product's own functions, in the order of the message. */
export function storedFrom(text: string, threshold = DEFAULT_THRESHOLD): string[] {
  const now = Date.now();
  const from = { episode: { publicId: "episode", place: PLACE }, speaker: SPEAKER, now, threshold };
  return takeStatements([{ role: "user", text }]).flatMap(({ aboutSpeaker, ...taken }) => {
    const draft = toMemoryDraft({ ...taken, about: { people: [], speaker: aboutSpeaker }, at: now }, from);
    return typeof draft === "string" ? [] : [draft.content];
  });
}
