import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { importEdgewiseLines, type Report } from "#domain/imports";
import type { Harness } from "#test/harness";
import type { Send } from "#test/rich-tenant";
import { rows } from "./requests.ts";

export type Line = { kind: string; row: Record<string, unknown>; nextFrom: string | null };

export async function download(h: Harness, query = ""): Promise<{ text: string; lines: Line[] }> {
  const { status, text } = await h.fetch("GET", `/v1/exports${query}`, { user: null });
  expect(status, text).toBe(200);
  return {
    text,
    lines: text
      .trimEnd()
      .split("\n")
      .map((line): Line => JSON.parse(line)),
  };
}

/** An empty database whose ids begin elsewhere, so that an id of the export that was not replaced shows. */
export async function emptyDatabase(): Promise<void> {
  const [tenants] = await rows<{ seq: number }>("select seq from sqlite_sequence where name = 'tenants'");
  await reset();
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
  const counters = ["users", "spaces", "sessions", "projects", "persons", "memories", "entities", "person_merges", "forgettings"];
  for (const [i, name] of counters.entries())
    await rows("insert into sqlite_sequence (name, seq) values (?, ?)", name, 1_000 * (i + 1));
  await rows("insert into sqlite_sequence (name, seq) values ('tenants', ?)", tenants?.seq ?? 0);
}

/** Stands for the import's row: each import of a tenant has another. */
const importIdOf = (h: Harness) => h.tenantId * 1_000 + 1;

/** Stores lines as an import of the whole tenant, or of one user. */
export async function importLines(
  h: Harness,
  lines: readonly unknown[],
  { importId = importIdOf(h), user = null, dryRun = false }: { importId?: number; user?: string | null; dryRun?: boolean } = {},
): Promise<Report> {
  const caller = { tenantId: h.tenantId, actor: { kind: "system", id: "test" } as const, requestId: "test", idempotent: null };
  const [found] =
    user === null
      ? []
      : await rows<{ id: number }>("select id from users where tenant_id = ? and external_id = ?", h.tenantId, user);
  const userId = user === null ? null : (found?.id ?? -1);
  const importRow = { id: importId, publicId: `imp_${importId}`, userId, userExternalId: user, dryRun };
  return await importEdgewiseLines({ ...h.services(), ...caller }, importRow, lines);
}

export function sendTo(h: Harness): Send {
  return async (method, path, body) => await h.fetch(method, path, { user: null, ...(body === undefined ? {} : { body }) });
}
