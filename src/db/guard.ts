import { type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "./client.ts";

/**
 * A statement that fails, and with it the whole batch, if the condition does not hold: what was read before is checked again where it is
 * written, and a lost race writes nothing. (SQLite can raise errors only in triggers; the absolute value of the least integer, which does
 * not exist, raises one anywhere.)
 */
export function failUnless(db: Db, condition: SQL): Statement {
  return db.run(sql`select abs(case when ${condition} then 0 else -9223372036854775807 - 1 end)`);
}

/** Whether a batch failed because of `failUnless`. */
export function isLostRace(error: unknown): boolean {
  return messagesOf(error).some((message) => message.includes("integer overflow"));
}

/** Whether a batch failed because a concurrent write stored the same name or words. */
export function isUniqueViolation(error: unknown): boolean {
  return messagesOf(error).some((message) => message.includes("UNIQUE constraint failed"));
}

function messagesOf(error: unknown): string[] {
  return error instanceof Error ? [error.message, error.cause instanceof Error ? error.cause.message : ""] : [];
}
