import { env } from "cloudflare:workers";
import { publicId } from "#core/ids";
import { indexTokens } from "#core/text/analyse";
import type { Harness } from "#test/harness";

export type Passage = { text: string; headings?: readonly string[]; page?: number | null };

type Planted = {
  source: string;
  path: string;
  passages: readonly (Passage | string)[];
  /** The app's id; the tenant's library when absent. */
  projectId?: string | undefined;
  /** Unix milliseconds. */
  updatedAt?: number;
  title?: string | null;
  /** The revision of the chunks, and the one that the file shows; both 1 when absent. */
  revision?: number;
  readRevision?: number;
};

async function one<T>(query: string, ...values: (string | number | null)[]): Promise<T> {
  const found = await env.DB.prepare(query)
    .bind(...values)
    .first<T>();
  if (found === null) throw new Error(`Nothing was found by: ${query}`);
  return found;
}

/**
 * Writes a file of a source as reading an upload leaves it: rows, words and vectors. The source and the file are made if they do not exist;
 * chunks are added to those that are there. Returns the chunks' public ids.
 */
export async function plantDocument(h: Harness, planted: Planted): Promise<string[]> {
  const { path, passages, updatedAt = Date.now(), title = null, revision = 1, readRevision = 1 } = planted;
  const { id: sourceId, space } = await source(h, planted);
  const { id: fileId } = await one<{ id: number }>(
    `insert into files (public_id, tenant_id, source_id, path, media_type, bytes, sha256, title, status, revision, read_revision, created_at, updated_at)
     values (?, ?, ?, ?, 'text/markdown', 1, '', ?, 'ready', ?, ?, ?, ?)
     on conflict (source_id, path) do update set read_revision = excluded.read_revision, updated_at = excluded.updated_at returning id`,
    ...[publicId("file", Date.now()), h.tenantId, sourceId, path, title, revision, readRevision, updatedAt, updatedAt],
  );
  const ids: string[] = [];
  let at = 0;
  for (const [ordinal, passage] of passages.entries()) {
    const { text, headings = [], page = null } = typeof passage === "string" ? { text: passage } : passage;
    const id = publicId("chunk", Date.now());
    const { id: row } = await one<{ id: number }>(
      `insert into chunks (public_id, tenant_id, source_id, space_id, file_id, revision, ordinal, text, start_at, end_at, page, headings, created_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning id`,
      ...[
        id,
        h.tenantId,
        sourceId,
        space,
        fileId,
        revision,
        ordinal,
        text,
        at,
        at + text.length,
        page,
        JSON.stringify(headings),
        updatedAt,
      ],
    );
    at += text.length + 2;
    const whole = headings.length === 0 ? text : `${headings.join(" > ")}\n${text}`;
    await env.DB.prepare("insert into chunk_fts (rowid, space, text) values (?, ?, ?)")
      .bind(row, `s${space}`, indexTokens(whole, null))
      .run();
    await embed(h, { row, space, whole });
    ids.push(id);
  }
  return ids;
}

async function source(h: Harness, { source, projectId }: Planted): Promise<{ id: number; space: number }> {
  const project =
    projectId === undefined
      ? null
      : await one<{ id: number; space: number }>(
          "select id, space_id as space from projects where tenant_id = ? and external_id = ?",
          ...[h.tenantId, projectId],
        );
  const space = project?.space ?? (await librarySpace(h));
  return await one<{ id: number; space: number }>(
    `insert into sources (public_id, tenant_id, external_id, project_id, space_id, name, created_at, updated_at) values (?, ?, ?, ?, ?, ?, 1, 1)
     on conflict (tenant_id, external_id) do update set updated_at = 1 returning id, space_id as space`,
    ...[publicId("source", Date.now()), h.tenantId, source, project?.id ?? null, space, `The ${source}`],
  );
}

async function librarySpace(h: Harness): Promise<number> {
  const { id } = await one<{ id: number }>(
    `insert into spaces (public_id, tenant_id, kind) values (?, ?, 'tenant')
     on conflict (public_id) do update set tenant_id = excluded.tenant_id returning id`,
    ...[`spa_tenant_${h.tenantId}`, h.tenantId],
  );
  return id;
}

async function embed(h: Harness, { row, space, whole }: { row: number; space: number; whole: string }): Promise<void> {
  const { embedder, vectors } = h.services();
  const [values] = await embedder.embed([whole], "document");
  if (values === undefined) throw new Error("The embedder gave no vector.");
  const none = { session: 0, project: 0, workspace: "", scope: "", type: "", createdDay: 0, expiresDay: 0 };
  const metadata = { ...none, kind: "chunk", space, model: embedder.model };
  await vectors.upsert(h.tenantId, [{ id: `chk:${row}`, values, metadata }]);
  await env.DB.prepare("update chunks set vector_model = ? where id = ?").bind(embedder.model, row).run();
}
