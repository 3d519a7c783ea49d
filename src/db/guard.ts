import { type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "./client.ts";

/**
 * A statement that fails if the condition does not hold, and with it the whole batch: what was read before is decided again
 * where it is written, and a lost race leaves nothing behind. (SQLite raises errors on demand in triggers only; the absolute value of
 * the least integer, which there is none of, raises one anywhere.)
 */
export function failUnless(db: Db, condition: SQL): Statement {
  return db.run(sql`select abs(case when ${condition} then 0 else -9223372036854775807 - 1 end)`);
}

/** Whether a batch failed because of `failUnless`. */
export function isLostRace(error: unknown): boolean {
  return messagesOf(error).some((message) => message.includes("integer overflow"));
}

/** Whether a batch failed because somebody else had stored the same name or words in between. */
export function isUniqueViolation(error: unknown): boolean {
  return messagesOf(error).some((message) => message.includes("UNIQUE constraint failed"));
}

function messagesOf(error: unknown): string[] {
  return error instanceof Error ? [error.message, error.cause instanceof Error ? error.cause.message : ""] : [];
}
