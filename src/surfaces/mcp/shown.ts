import { labelled } from "#core/text/labelled";
import { shortenRedacted } from "#core/text/redacted";
import type { MemoryView } from "#domain/memories";
import type { ChunkView, HitView } from "#domain/retrieval";
import type { EpisodeView } from "#domain/sessions";

const MAX_TITLE_CHARACTERS = 100;
/** About 12,000 tokens: clients cut results that are longer. */
const MAX_DOCUMENT_CHARACTERS = 48_000;

/** The form of ChatGPT's connectors. `url` is where the API answers with the same, to who has a key. */
export type Result = {
  id: string;
  title: string;
  url: string;
  text: string;
  kind: HitView["kind"];
  type?: string;
  speaker?: string;
  /** Of a passage of a document. */
  path?: string;
  page?: number;
  occurredAt: string;
  older?: true;
};

export function toResult(hit: HitView, origin: string): Result {
  const text = shortenRedacted(hit.content);
  const { id, kind, occurredAt, memory, message, document } = hit;
  return {
    ...{ id, title: document === null ? titleOf(text) : placeOf(document), text, kind, occurredAt },
    url: urlOf(origin, hit),
    ...(document === null ? {} : { path: document.path, ...(document.page === null ? {} : { page: document.page }) }),
    ...(memory === null ? {} : { type: memory.type }),
    ...(message === null ? {} : { speaker: speakerOf(message) }),
    ...(hit.older === null ? {} : { older: true as const }),
  };
}

/** Who said a message: the user, with their label if they have one; a label alone says only that it is one. */
function speakerOf({ role, userId, speaker }: { role: string; userId: string | null; speaker: string | null }): string {
  if (speaker === null) return role;
  if (userId === null) return `${role}, ${labelled(speaker)}`;
  return speaker === userId ? speaker : `${speaker} (${userId})`;
}

export type Document = Pick<Result, "id" | "title" | "text" | "url"> & { metadata: Record<string, unknown> };

export function memoryDocument(memory: MemoryView, origin: string): Document {
  const { id, content: text, type, class: group, key, subjects, validFrom, expiresAt, version, learnedIn } = memory;
  return {
    ...{ id, title: titleOf(text), text, url: urlOf(origin, { id, kind: "memory", sessionId: null, document: null }) },
    metadata: {
      ...{ kind: "memory", type, class: group, key, subjects, validFrom, expiresAt, version },
      ...{ sessionId: learnedIn?.sessionId ?? null, episodeId: learnedIn?.episodeId ?? null },
    },
  };
}

/** Its messages, each on a line of its own after its speaker. */
export function episodeDocument(episode: EpisodeView, origin: string): Document {
  const { id, sessionId, messages, occurredAt } = episode;
  const whole = messages.map((message) => `${speakerOf(message)}: ${shortenRedacted(message.content)}`).join("\n");
  const text = cut(whole, MAX_DOCUMENT_CHARACTERS);
  return {
    ...{ id, title: titleOf(shortenRedacted(messages[0]?.content ?? "")), text },
    url: urlOf(origin, { id, kind: "episode", sessionId, document: null }),
    metadata: { kind: "episode", sessionId, occurredAt, messages: messages.length, isWhole: text.length === whole.length },
  };
}

/** A passage, with the path of its document. */
export function chunkDocument({ id, content, passage, document }: ChunkView, origin: string): Document {
  return {
    ...{ id, title: placeOf(document), text: shortenRedacted(content) },
    url: urlOf(origin, { id, kind: "chunk", sessionId: null, document }),
    metadata: { kind: "chunk", ...document, ...passage },
  };
}

/** The file of a passage is shown without its text: `GET /v1/sources/{sourceId}/files/{fileId}`. */
function urlOf(origin: string, hit: Pick<HitView, "id" | "kind" | "sessionId" | "document">): string {
  const { id, kind, sessionId, document } = hit;
  if (document !== null) return `${origin}/v1/sources/${encodeURIComponent(document.sourceId)}/files/${document.fileId}`;
  const path = kind === "memory" ? `memories/${id}` : `sessions/${encodeURIComponent(sessionId ?? "")}/episodes/${id}`;
  return `${origin}/v1/${path}`;
}

/** `handbook/onboarding.md: Holidays` */
function placeOf({ path, headings }: ChunkView["document"]): string {
  const heading = headings.at(-1);
  return titleOf(heading === undefined ? path : `${path}: ${heading}`);
}

/** The beginning, on one line. */
function titleOf(text: string): string {
  const line = text
    .slice(0, 4 * MAX_TITLE_CHARACTERS)
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length <= MAX_TITLE_CHARACTERS ? line : `${cut(line, MAX_TITLE_CHARACTERS - 1)}…`;
}

/** At most so many UTF-16 code units, without half a surrogate pair at the end. */
function cut(text: string, length: number): string {
  const part = text.slice(0, length);
  return part.isWellFormed() || !text.isWellFormed() ? part : part.slice(0, -1);
}
