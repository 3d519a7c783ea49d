import { env } from "cloudflare:workers";
import type { FileView, SourceView, UploadedView } from "#domain/sources";
import type { Answer, Harness, Request } from "#test/harness";

const encoder = new TextEncoder();

export async function makeSource(h: Harness, sourceId: string, body: Record<string, unknown> = {}): Promise<Answer<SourceView>> {
  return await h.fetch("PUT", `/v1/sources/${sourceId}`, { body, user: null });
}

/** Uploads a file as a client does, with the length of its body. */
export async function upload<T = UploadedView>(
  h: Harness,
  { sourceId, path, userId }: { sourceId: string; path: string; userId?: string },
  content: string | Uint8Array,
  request: Request = {},
): Promise<Answer<T>> {
  const body = typeof content === "string" ? encoder.encode(content) : content;
  const query = new URLSearchParams({ path, ...(userId === undefined ? {} : { userId }) });
  return await h.fetch<T>("PUT", `/v1/sources/${sourceId}/files?${query}`, {
    ...{ body, user: null },
    ...request,
    headers: { "content-type": "application/octet-stream", "content-length": String(body.length), ...request.headers },
  });
}

export async function fileOf(h: Harness, sourceId: string, fileId: string): Promise<FileView> {
  return (await h.fetch<FileView>("GET", `/v1/sources/${sourceId}/files/${fileId}`)).json;
}

export type StoredChunk = {
  id: number;
  revision: number;
  ordinal: number;
  text: string;
  start: number;
  end: number;
  page: number | null;
  headings: string;
  words: number;
  model: string | null;
};

/** The chunks of a file, and whether the text index has their words. */
export async function chunksOf(fileId: string): Promise<StoredChunk[]> {
  const { results } = await env.DB.prepare(
    `select ck.id, ck.revision, ck.ordinal, ck.text, ck.start_at as start, ck.end_at as end, ck.page, ck.headings, ck.vector_model as model,
      (select count(*) from chunk_fts_docsize d where d.id = ck.id) as words
     from chunks ck where ck.file_id = (select f.id from files f where f.public_id = ?) order by ck.revision, ck.ordinal`,
  )
    .bind(fileId)
    .all<StoredChunk>();
  return results;
}

/** The keys of what the tenant has uploaded and nothing has read yet. */
export async function uploadsOf(h: Harness): Promise<string[]> {
  return (await h.services().files.list(`t${h.tenantId}/`, null)).keys;
}
