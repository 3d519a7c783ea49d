import type { Ctx } from "#context";
import { requirePermission } from "#core/permission";
import { read } from "#db/client";
import { documentUser, findSource, requireReadable } from "./find-source.ts";
import { parsePath } from "./paths.ts";
import type { ComparedView, CompareInput } from "./schemas.ts";
import { findByPath } from "./store-files.ts";

/**
 * Which of these files the source has with the same content, so that a client uploads only the others.
 * @throws not_found for a source that the user may not see.
 * @throws unprocessable for a path that leaves the source.
 */
export async function compareFiles(ctx: Ctx<"db">, sourceId: string, input: CompareInput): Promise<ComparedView> {
  requirePermission(ctx.actor, "read");
  const paths = input.files.map(({ path }, i) => parsePath(path, `files[${i}].path`));
  const asked = { sourceId, user: documentUser(ctx, input.userId) };
  const {
    source: [source],
    known,
  } = await read(ctx, { source: findSource(ctx, asked), known: findByPath(ctx, sourceId, paths) });
  requireReadable(source, asked);
  const stored = new Map(known.map(({ path, sha256 }) => [path, sha256]));
  return {
    items: input.files.map(({ path, sha256 }, i) => {
      const found = stored.get(paths[i] ?? "");
      return { path, state: found === undefined ? "missing" : found === sha256 ? "same" : "changed" };
    }),
  };
}
