import { z } from "@hono/zod-openapi";

/** The header in which a change names the version that it is based on. */
export const ifMatch = z.object({
  "if-match": z.string().max(500).optional().describe("The ETag of an earlier answer: 412 if the version has changed since"),
});

export function etagOf({ version }: { version: number }): string {
  return `"${version}"`;
}

/**
 * The versions that an If-Match of RFC 9110 names; null for any. A foreign ETag matches nothing. A weak one counts like a strong one,
 * because a proxy that compresses makes ours weak.
 */
export function versionsIn(header: { "if-match"?: string | undefined }): number[] | null {
  const value = header["if-match"];
  if (value === undefined || value.trim() === "*") return null;
  return value.split(",").flatMap((tag) => {
    const version = /^\s*(?:W\/)?"(\d{1,15})"\s*$/.exec(tag)?.[1];
    return version === undefined ? [] : [Number(version)];
  });
}
