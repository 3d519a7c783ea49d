import { z } from "zod";
import { Cursor, ExternalId, UserId, wholeNumber } from "#core/fields";
import { IMPORT_PLATFORMS } from "./parsed.ts";
import { STATISTICS } from "./statistics.ts";

/** Conversations, projects or activities that one part may hold. */
const MAX_CONVERSATIONS = 50;
const MAX_ACTIVITIES = 1_000;
const MAX_LINES = 500;
/** More than any export has. */
const MAX_POSITION = 1_000_000_000;

const Platform = z
  .enum([...IMPORT_PLATFORMS, "edgewise"])
  .describe("Where the export is from. edgewise without `userId`: the whole tenant, with a key that has `admin`");
const Extraction = z.enum(["off", "rules", "model"]);

export const ImportInput = z
  .strictObject({
    userId: UserId.optional(),
    platform: Platform,
    fileName: z.string().min(1).max(255),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, "The SHA-256 of the whole file, in 64 lower-case hexadecimal digits.")
      .describe(
        "Of the whole file, in hexadecimal digits. The same file of the same user is imported once, unless `again` is true",
      ),
    projectId: ExternalId.optional().describe("The project into which new sessions go. Those that exist stay where they are"),
    again: z
      .boolean()
      .optional()
      .describe(
        "Begins an import although the file was imported before: what is not stored any more is stored again, but for what was erased",
      ),
    dryRun: z.boolean().optional().describe("Reports what would be stored and stores no conversation"),
    extraction: Extraction.optional().describe(
      "What reads the conversations to learn from them, behind all other work: nothing, the rules, or the rules and the model. rules when absent; the tenant's settings may forbid more",
    ),
  })
  .meta({ id: "ImportInput" });

const Raw = z.unknown();

export const ImportPartInput = z
  .strictObject({
    userId: UserId.optional(),
    conversations: z
      .array(Raw)
      .min(1)
      .max(MAX_CONVERSATIONS)
      .optional()
      .describe("As the export of ChatGPT, Claude or an app has them"),
    activities: z.array(Raw).min(1).max(MAX_ACTIVITIES).optional().describe("Records of Gemini in `MyActivity.json`"),
    projects: z.array(Raw).min(1).max(MAX_CONVERSATIONS).optional().describe("Claude's projects with their documents"),
    lines: z
      .array(Raw)
      .min(1)
      .max(MAX_LINES)
      .optional()
      .describe("Lines of an export of Edgewise, in its order, parsed or as text"),
    position: z
      .number()
      .int()
      .min(0)
      .max(MAX_POSITION)
      .optional()
      .describe("The place in the export of the first one, from 0; 0 when absent"),
    isPiece: z
      .boolean()
      .optional()
      .describe("The part holds one conversation whose beginning was sent before, so that a missing beginning is no fault"),
  })
  .meta({ id: "ImportPartInput" });

export const ImportFinishInput = z
  .strictObject({
    userId: UserId.optional(),
    isComplete: z
      .boolean()
      .optional()
      .describe(
        "Whether the whole file was sent, which is so when absent. A file that was not is imported again when it is sent again",
      ),
  })
  .meta({ id: "ImportFinishInput" });

const Counts = z
  .object(
    Object.fromEntries(STATISTICS.map((name) => [name, z.number().int()])) as Record<(typeof STATISTICS)[number], z.ZodNumber>,
  )
  .describe(
    "Conversations: stored, grown (known before, with new messages), known, empty, erased, failed; of the known and grown, elsewhere: not in the project of the import, where they are left. Messages: stored, known before, and those left out: hidden, of tools, thinking, parts that are no text, abandoned branches, blank",
  )
  .meta({ id: "ImportStatistics" });

const Problem = z.object({ title: z.string(), reason: z.string() }).meta({ id: "ImportProblem" });

const Rows = z
  .record(z.string(), z.number().int())
  .describe("Of an export of Edgewise: rows that were added, by kind, and those that were alreadyThere, leftOut or notImported")
  .meta({ id: "ImportedRows" });

export const ImportView = z
  .object({
    id: z.string(),
    platform: z.enum([...IMPORT_PLATFORMS, "edgewise"]),
    fileName: z.string(),
    sha256: z.string(),
    projectId: ExternalId.nullable(),
    extraction: Extraction,
    dryRun: z.boolean(),
    status: z.enum(["open", "finished", "failed"]).describe("failed: the file was not sent to its end"),
    statistics: Counts,
    rows: Rows,
    problems: z.array(Problem).describe("Conversations that were left out, or stored with something put right; 200 at most"),
    createdAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable(),
    repeated: z
      .boolean()
      .describe(
        "The file was imported before: this is that import with its report of then, which does not say what was deleted since",
      ),
  })
  .meta({ id: "Import" });

const ItemView = z
  .object({
    position: z
      .number()
      .int()
      .nullable()
      .describe("Its place in the export; null for Gemini, whose conversations are made from its records"),
    title: z.string().nullable(),
    sessionId: ExternalId.nullable(),
    outcome: z.enum(["stored", "grown", "known", "empty", "erased", "failed", "skipped"]),
    messages: z.number().int().describe("Messages that were stored, or would be"),
    messagesKnown: z.number().int(),
    reason: z.string().nullable().describe("Why it was left out"),
    notes: z.array(z.string()).describe("What was put right"),
  })
  .meta({ id: "ImportItem" });

export const ImportPartView = z
  .object({
    items: z.array(ItemView),
    statistics: Counts.describe("Of this part"),
    rows: Rows,
    problems: z.array(Problem).describe("Rows of an export of Edgewise that were left out, and why"),
  })
  .meta({ id: "ImportPart" });

export const ImportPlace = z.strictObject({ userId: UserId.optional() });

export const ImportListInput = z.strictObject({
  userId: UserId.optional(),
  cursor: Cursor.optional(),
  limit: wholeNumber({ min: 1, max: 100 }).default(20),
});

export type ImportInput = z.infer<typeof ImportInput>;
export type ImportPartInput = z.infer<typeof ImportPartInput>;
export type ImportFinishInput = z.infer<typeof ImportFinishInput>;
export type ImportView = z.infer<typeof ImportView>;
export type ImportPartView = z.infer<typeof ImportPartView>;
export type ImportItem = z.infer<typeof ItemView>;
export type ImportListInput = z.infer<typeof ImportListInput>;
