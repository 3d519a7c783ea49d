import { type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "./client.ts";

const LOST = "the guard does not hold";

/**
 * A statement that fails if the condition does not hold, and with it the whole batch: what was read before is decided again
 * where it is written, and a lost race leaves nothing behind. (SQLite raises errors on demand in triggers only; `json` of what is
 * none raises one anywhere.)
 */
export function failUnless(db: Db, condition: SQL): Statement {
  return db.run(sql`select json(case when ${condition} then '1' else ${LOST} end)`);
}

/** Whether a batch failed because of `failUnless`. */
export function isLostRace(error: unknown): boolean {
  return messagesOf(error).some((message) => message.includes("malformed JSON"));
}

/** Whether a batch failed because somebody else had stored the same name or words in between. */
export function isUniqueViolation(error: unknown): boolean {
  return messagesOf(error).some((message) => message.includes("UNIQUE constraint failed"));
}

function messagesOf(error: unknown): string[] {
  return error instanceof Error ? [error.message, error.cause instanceof Error ? error.cause.message : ""] : [];
}
