import { toIso } from "#core/fields";
import type { StoredMessage } from "#db/schema/sessions";
import type { FoundSession } from "./find-session.ts";
import { EpisodeView, SessionView } from "./schemas.ts";

export function toSession(row: Omit<FoundSession, "pool" | "isOwn">): SessionView {
  return {
    id: row.externalId,
    kind: row.kind,
    projectId: row.projectIsSeen === 1 ? row.projectExternalId : null,
    title: row.title,
    participants: SessionView.shape.participants.parse(JSON.parse(row.participants)),
    lastAt: row.lastAt === null ? null : toIso(row.lastAt),
    createdAt: toIso(row.createdAt),
  };
}

export type EpisodeRow = {
  id: number;
  publicId: string;
  sessionExternalId: string;
  messages: string;
  /** A JSON object: the app's ids of the users whom messages name, by internal id. Null where none does. */
  speakers: string | null;
  occurredAt: number;
  createdAt: number;
  vectorModel: string | null;
};

/** `model` is the embedder in use: vectors of another do not count as indexed. */
export function toEpisode(row: EpisodeRow, model: string): EpisodeView {
  const messages: StoredMessage[] = JSON.parse(row.messages);
  const speakers: Record<string, string> = JSON.parse(row.speakers ?? "{}");
  return {
    id: row.publicId,
    sessionId: row.sessionExternalId,
    messages: messages.map((message, index) => ({
      index,
      role: EpisodeView.shape.messages.element.shape.role.parse(message.role),
      userId: message.userId === undefined ? null : (speakers[message.userId] ?? null),
      speaker: message.speaker,
      content: message.text,
      messageId: message.messageId,
      occurredAt: toIso(message.occurredAt),
    })),
    occurredAt: toIso(row.occurredAt),
    createdAt: toIso(row.createdAt),
    indexed: { text: true, vector: row.vectorModel === model },
  };
}
