import { breaksRule } from "#core/errors";
import { requirePermission } from "#core/permission";
import { storable } from "#core/text/normalize";
import { read } from "#db/client";
import { documentUser, findSource, requireWritable } from "./find-source.ts";
import { parsePath } from "./paths.ts";
import type { TextsInput, UploadedManyView } from "./schemas.ts";
import { findByPath, type StagedFile, type StoreCtx, storeFiles } from "./store-files.ts";
import { sha256Of } from "./uploads.ts";

/**
 * Stores several texts as files of a source, all or none, as `uploadFile` does it for one.
 * @throws unprocessable for a path that leaves the source or is named twice.
 */
export async function addTexts(ctx: StoreCtx, sourceId: string, input: TextsInput): Promise<UploadedManyView> {
  requirePermission(ctx.actor, "write");
  const staged = await stage(ctx, input);
  const asked = { sourceId, user: documentUser(ctx, input.userId) };
  const paths = staged.map(({ path }) => path);
  const {
    source: [found],
    known,
  } = await read(ctx, { source: findSource(ctx, asked), known: findByPath(ctx, sourceId, paths) });
  const source = requireWritable(ctx, found, asked);
  const items = await storeFiles(ctx, staged, {
    ...{ source, user: asked.user, known },
    audit: (outcomes) => ({ source: source.publicId, ...countsOf(outcomes) }),
  });
  return { items };
}

async function stage(ctx: StoreCtx, { files }: TextsInput): Promise<StagedFile[]> {
  const paths = files.map(({ path }, i) => parsePath(path, `files[${i}].path`));
  const twice = paths.findIndex((path, i) => paths.indexOf(path) < i);
  if (twice >= 0) throw breaksRule(`files[${twice}].path`, "It is named twice. Send each file once.");
  return await Promise.all(
    files.map(async ({ content, mediaType = "text/plain" }, i): Promise<StagedFile> => {
      const bytes = new Uint8Array(new TextEncoder().encode(storable(content)));
      const sha256 = await sha256Of(bytes);
      return {
        ...{ path: paths[i] ?? "", mediaType, bytes: bytes.length, sha256 },
        ...{ uploadId: ctx.newId("job"), key: null, content: bytes },
      };
    }),
  );
}

function countsOf(outcomes: readonly { outcome: string }[]): Record<string, number> {
  const count = (name: string) => outcomes.filter(({ outcome }) => outcome === name).length;
  return { created: count("created"), replaced: count("replaced"), unchanged: count("unchanged") };
}
