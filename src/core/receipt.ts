import { isRecord } from "./is-record.ts";

/** Ids that Edgewise made, versions, and what became of the request. */
const KEPT = new Set(["id", "mergedInto", "version", "created", "written", "retracted", "remaining", "outcome"]);
/** About what the caller itself sent: message ids of it that were known, kinds of secrets in it, and why a part of it was refused. */
const KEPT_WHOLE = new Set(["skippedMessageIds", "redacted", "problem"]);
/** Fields that hold further answers. */
const WITHIN = new Set(["items", "entity", "from", "into"]);

/**
 * The answer to a write as it is for a caller who may not read: nothing of it was stored. A field that is not known here is left out, so
 * that a new one discloses nothing.
 */
export function toReceipt(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(toReceipt);
  if (!isRecord(answer)) return null;
  return Object.fromEntries(
    Object.entries(answer).flatMap(([name, value]) => {
      if (WITHIN.has(name)) return [[name, toReceipt(value)]];
      return KEPT_WHOLE.has(name) || (KEPT.has(name) && !isRecord(value)) ? [[name, value]] : [];
    }),
  );
}
