import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Ctx } from "#context";
import { integer, type RowOf, row } from "#db/row";
import { FILE } from "#db/schema/sources";

const whole = z.number().int();

/** `page`, `offset` and `ordinal` are where the slice begins that is being stored; the job's row is advanced with the last of its chunks. */
export const ReadingPlace = z.object({
  ...{ fileId: whole, file: z.string(), sourceId: whole, upload: z.string(), revision: whole },
  ...{ page: whole, offset: whole, ordinal: whole },
});

export type ReadingPlace = z.infer<typeof ReadingPlace>;

export type ReadCtx = Ctx<"db" | "now" | "newId" | "jobs" | "defer" | "files" | "toMarkdown" | "log">;

export const FILE_TO_READ = row({
  ...FILE.of(sql`f`, "id", "sourceId", "path", "mediaType", "status", "revision", "readRevision"),
  spaceId: integer(sql`so.space_id`),
  /** Chunks of the revision that are stored already. */
  stored: integer(sql`coalesce((
    select ck.ordinal + 1 from chunks ck where ck.file_id = f.id and ck.revision = f.revision order by ck.ordinal desc limit 1), 0)`),
});

export type FileToStore = RowOf<typeof FILE_TO_READ>;
