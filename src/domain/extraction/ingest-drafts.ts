import type { Ctx } from "#context";
import { AppError } from "#core/errors";
import type { Statement } from "#db/client";
import { type IngestOutcome, ingestMemories, type MemoryDraftInput } from "#domain/memories";

export type IngestCtx = Ctx<"db" | "now" | "newId" | "jobs" | "defer" | "embedder" | "caches" | "log" | "wait" | "random">;

/** What came of one draft; `left`: its writer may not be in the session any more. */
export type DraftOutcome = IngestOutcome | "refused" | "left";

export type Call = {
  /** The speaker, by the app's id. */
  userId: string;
  drafts: readonly MemoryDraftInput[];
  /** Goes into the batch that stores them. */
  alongside: readonly Statement[];
  keepsOwn: boolean;
};

/** A field that only says what the memory is to another one: without it, the memory stands. */
const LINKS = ["supersedes", "contradicts"] as const;

/**
 * Remembers drafts of one speaker in one session. One that breaks a rule is left out, and a link that does not hold is taken off;
 * `isStored` says whether anything, and what goes alongside, was written.
 */
export async function ingestDrafts(ctx: IngestCtx, call: Call): Promise<{ outcomes: DraftOutcome[]; isStored: boolean }> {
  const outcomes: DraftOutcome[] = call.drafts.map(() => "refused");
  let waiting = call.drafts.map((draft, place) => ({ draft, place }));
  while (waiting.length > 0) {
    try {
      const memories = waiting.map(({ draft }) => draft);
      const ingested = await ingestMemories(ctx, { userId: call.userId, memories }, call);
      for (const [i, { place }] of waiting.entries()) outcomes[place] = ingested[i]?.outcome ?? "refused";
      return { outcomes, isStored: true };
    } catch (error) {
      const refused = refusalIn(error);
      if (refused === "left") {
        for (const { place } of waiting) outcomes[place] = "left";
        return { outcomes, isStored: false };
      }
      if (refused === null || waiting[refused.index] === undefined) throw error;
      waiting = waiting.flatMap((entry, i) => (i === refused.index ? withoutLink(entry, refused.field) : [entry]));
    }
  }
  return { outcomes, isStored: false };
}

type Waiting = { draft: MemoryDraftInput; place: number };

function withoutLink({ draft, place }: Waiting, field: string): Waiting[] {
  const link = LINKS.find((name) => name === field && draft[name] !== undefined);
  if (link === undefined) return [];
  const { [link]: _, ...rest } = draft;
  return [{ draft: rest, place }];
}

/** Which draft breaks a rule and in which field; `left` if the writer may not be where they said it; null for any other failure. */
function refusalIn(error: unknown): { index: number; field: string } | "left" | null {
  if (!(error instanceof AppError)) return null;
  if (error.code === "not_found") return "left";
  const match = /^memories\[(\d+)\]\.(\w+)/u.exec(error.fields[0]?.path ?? "");
  if (error.code !== "unprocessable" || match?.[1] === undefined || match[2] === undefined) return null;
  return { index: Number(match[1]), field: match[2] };
}
