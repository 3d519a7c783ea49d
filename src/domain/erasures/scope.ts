import { type SQL, sql } from "drizzle-orm";
import type { ErasedKind } from "#domain/tenants";

/**
 * What an erasure is about, in internal ids, which are never given again. It is written down before anything is deleted, and says afterwards
 * where to look for what is left.
 */
export type Scope = {
  kind: ErasedKind;
  tenantId: number;
  /** Of the user, session, project or source. */
  id: number;
  publicId: string;
  /** Spaces that go with everything in them. */
  spaces: number[];
  /** Sessions that go whole. */
  sessions: number[];
  /** Of a user: group sessions that stay, in which they took part. */
  groups: number[];
  projects: number[];
  sources: number[];
  /** Of a user: their own person, and those that were merged into it. */
  persons: number[];
  /** Memories that go although their space stays. */
  memories: number[];
  /** Of a user: memories of others that are about them. */
  others: number[];
  /** Spaces that stay, in which vectors may be left. */
  near: number[];
};

/** A list of ids as a table expression. */
export function listOf(ids: readonly number[]): SQL {
  return sql`(select value from json_each(${JSON.stringify(ids)}))`;
}

/** Ids as literals, for the text index, which reads the whole table for a bound real. */
export function literals(ids: readonly number[]): SQL {
  return sql.raw(ids.join(","));
}

export function isUserErasure({ kind }: Pick<Scope, "kind">): boolean {
  return kind === "user";
}
