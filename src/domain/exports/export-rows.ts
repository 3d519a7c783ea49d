import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Ctx } from "#context";
import { describeError } from "#core/describe-error";
import { breaksRule, notFound } from "#core/errors";
import { toIso } from "#core/fields";
import { isAdmin, requirePermission } from "#core/permission";
import { readRows, select } from "#db/client";
import { integer, row } from "#db/row";
import { commit } from "#domain/audit";
import { actingUser, boundUserOf } from "#domain/tenants";
import { createManifest } from "./manifest.ts";
import { type Page, type Position, readPage } from "./read-page.ts";
import type { Scope } from "./reads.ts";
import { type ExportRowsInput, FORMAT_VERSION, MAX_LINES_A_PART } from "./schemas.ts";
import { type Stage, stagesOf } from "./stages.ts";

/** Of the 1,000 queries that D1 allows for one invocation; the rest are for the request itself. */
const QUERIES_A_PART = 900;

type ExportCtx = Ctx<"db" | "now" | "newId" | "log">;

/** Where a part begins: at a stage, behind a row. */
type From = { stage: number; after: Position | null };

/**
 * The rows of a user or of the whole tenant as JSON Lines: a header, a line `{"kind": …, "row": …}` for each row, and a last line
 * `{"kind": "end", …}` with counts and hashes; without it, the part is incomplete. Its `nextFrom` is where the next part begins, null at
 * the end. The first page is read before the response starts, so that its errors get a status.
 * @throws not_found for a user who does not exist.
 * @throws invalid_input if a key without `admin` that may act for any user names none.
 * @throws forbidden for another user than the caller's own.
 */
export async function exportRows(ctx: ExportCtx, input: ExportRowsInput): Promise<ReadableStream<Uint8Array>> {
  const externalId = requireScope(ctx, input.userId);
  const scope = await findScope(ctx, externalId);
  const stages = stagesOf(scope);
  const begin = input.from === undefined ? { stage: 0, after: null } : readFrom(stages, input.from);
  if (input.from === undefined) await recordExport(ctx, scope);
  const source = createSource(ctx, stages, { begin, limit: input.rows ?? MAX_LINES_A_PART });
  const first = await source.next();
  const header = JSON.stringify({
    kind: "header",
    format: "edgewise",
    version: FORMAT_VERSION,
    scope: externalId === null ? "tenant" : "user",
    userId: externalId,
    exportedAt: toIso(ctx.now()),
    from: input.from ?? null,
  });
  return streamOf(ctx, { header, first, source });
}

/** The app's id of the user, null for the tenant. */
function requireScope(ctx: ExportCtx, named: string | undefined): string | null {
  requirePermission(ctx.actor, "read");
  const isOfTenant = named === undefined && boundUserOf(ctx) === null && isAdmin(ctx.actor);
  return isOfTenant ? null : actingUser(ctx, named).externalId;
}

const USER_ID = row({ id: integer(sql`u.id`) });

async function findScope(ctx: ExportCtx, externalId: string | null): Promise<Scope> {
  const scope = { tenantId: ctx.tenantId, now: ctx.now() };
  if (externalId === null) return { ...scope, userId: null };
  const [user] = await readRows(
    ctx,
    select(USER_ID)`from users u where u.tenant_id = ${ctx.tenantId} and u.external_id = ${externalId}`,
  );
  if (user === undefined) throw notFound("user");
  return { ...scope, userId: user.id };
}

/** Who took everything away at once is worth knowing later. */
async function recordExport(ctx: ExportCtx, { userId }: Scope): Promise<void> {
  const objectId = userId === null ? "tenant" : sql`(select public_id from users where id = ${userId})`;
  await commit(ctx, {
    statements: [],
    audit: [{ action: "export.started", objectId, userId, detail: { scope: userId === null ? "tenant" : "user" } }],
  });
}

type Part = Page & { kind: string; next: string | null; ends: boolean };

/** Pages one after another. A part ends at its limit, or before it would take more queries than an invocation has. */
function createSource(ctx: ExportCtx, stages: readonly Stage[], { begin, limit }: { begin: From; limit: number }) {
  let { stage, after } = begin;
  let [lines, queries] = [0, 0];
  return {
    next: async (): Promise<Part> => {
      const current = stages[stage];
      if (current === undefined) return { lines: [], last: [], isFull: false, queries: 0, kind: "", next: null, ends: true };
      const page = await readPage(ctx, current, { after, limit: limit - lines });
      lines += page.lines.length;
      queries += page.queries;
      [stage, after] = page.isFull ? [stage, page.last] : [stage + 1, null];
      const isDone = stage === stages.length;
      const ends = isDone || lines >= limit || queries + current.keys.length > QUERIES_A_PART;
      return { ...page, kind: current.kind, next: isDone ? null : writeFrom(stages, { stage, after }), ends };
    },
  };
}

type Stream = { header: string; first: Part; source: ReturnType<typeof createSource> };

function streamOf(ctx: ExportCtx, { header, first, source }: Stream): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const manifest = createManifest();
  let part: Part | null = first;
  let begun = false;
  return new ReadableStream({
    async pull(controller) {
      try {
        const { kind, lines, next, ends } = part ?? (await source.next());
        part = null;
        if (!begun) await manifest.addHeader(header);
        await manifest.add(kind, lines);
        const end = ends ? [JSON.stringify({ kind: "end", nextFrom: next, ...(await manifest.close()) })] : [];
        const sent = [...(begun ? [] : [header]), ...lines, ...end, ""];
        begun = true;
        controller.enqueue(encoder.encode(sent.join("\n")));
        if (ends) controller.close();
      } catch (error) {
        // The response has begun, so the error goes to the log only; the client sees that the last line is missing.
        ctx.log("export.failed", { requestId: ctx.requestId, ...describeError(error) });
        throw error;
      }
    },
  });
}

/** A cursor names its stage, so that it means the same in a later release or nothing. It is no secret: it has keys of an exported row. */
function writeFrom(stages: readonly Stage[], { stage, after }: From): string {
  const text = JSON.stringify([stages[stage]?.name, ...(after ?? [])]);
  return btoa(encodeURIComponent(text)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

const Cursor = z.tuple([z.string()], z.union([z.string(), z.number()]));

/** @throws unprocessable for a cursor of another export. */
function readFrom(stages: readonly Stage[], from: string): From {
  const [name, ...after] = partsOf(from);
  const stage = stages.findIndex((one) => one.name === name);
  const current = stages[stage];
  if (current === undefined || (after.length > 0 && after.length !== current.keys.length))
    throw breaksRule("from", "This is not the nextFrom of a part of this export.");
  return { stage, after: after.length === 0 ? null : after };
}

function partsOf(from: string): (string | number)[] {
  try {
    const parsed = Cursor.safeParse(JSON.parse(decodeURIComponent(atob(from.replaceAll("-", "+").replaceAll("_", "/")))));
    return parsed.success ? parsed.data : [];
  } catch {
    return [];
  }
}
