import { sha256 } from "#core/key";

export type Hashed = {
  content: string;
  type: string;
  workspaceId: string | null;
  scopeType: string | null;
  scopeId: string | null;
};

/** SHA-256 of what makes two memories of one space the same: scope, type and words. No scope and the scope `global` are one. */
export async function contentHash({ content, type, workspaceId, scopeType, scopeId }: Hashed): Promise<string> {
  const scope = scopeType === "global" ? null : scopeType;
  return await sha256(JSON.stringify([workspaceId, scope, scopeId, type, normaliseContent(content)]));
}

/** Case, width, white space and the final stop do not make another memory. */
export function normaliseContent(content: string): string {
  return content
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\s+/gu, " ")
    .trim()
    .replace(/[\s.!。！｡]+$/u, "");
}
