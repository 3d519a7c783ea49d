import { toIso } from "#core/fields";
import type { StoredMessage } from "#db/schema/sessions";
import type { FoundSession } from "./find-session.ts";
import { EpisodeView, SessionView } from "./schemas.ts";

export function toSession(row: Omit<FoundSession, "pool" | "isOwn">): SessionView {
  return {
    id: row.publicId,
    externalId: row.externalId,
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
  occurredAt: number;
  createdAt: number;
  vectorModel: string | null;
};

/** `model` is the embedder in use: vectors of another do not count as indexed. */
export function toEpisode(row: EpisodeRow, model: string): EpisodeView {
  const messages: StoredMessage[] = JSON.parse(row.messages);
  return {
    id: row.publicId,
    sessionId: row.sessionExternalId,
    messages: messages.map((message, index) => ({
      index,
      role: EpisodeView.shape.messages.element.shape.role.parse(message.role),
      speaker: message.speaker,
      text: message.text,
      messageId: message.messageId,
      occurredAt: toIso(message.occurredAt),
    })),
    occurredAt: toIso(row.occurredAt),
    createdAt: toIso(row.createdAt),
    indexed: { text: true, vector: row.vectorModel === model },
  };
}
