import { indexTokens } from "../../src/core/text/analyse.ts";
import { contentHash } from "../../src/domain/memories/content-hash.ts";
import { lifetimeMs, type MemoryType } from "../../src/domain/memories/defaults.ts";
import { between, chatText, randomOf } from "./chat-text.ts";

/** More than the memories of any space, as no two of a space have the same words. */
const TEMPLATES = 6_000;

/** What a memory says, hashed and made ready for the text index by the product itself. */
export type MemoryTemplate = { content: string; type: MemoryType; hash: string; tokens: string; lifeMs: number | null };

/** One in ten of each, but for what people state most. */
const TYPES: readonly MemoryType[] = [
  "knowledge",
  "preference",
  "knowledge",
  "identity",
  "relationship",
  "procedural",
  "context",
  "event",
  "task",
  "observation",
];

/** Sentences of one to two dozen words. */
export async function makeMemoryTemplates(): Promise<MemoryTemplate[]> {
  const random = randomOf(43);
  const contents = Array.from({ length: TEMPLATES }, () => chatText(random, between(random, 8, 20)));
  return await Promise.all(
    contents.map(async (content, i) => {
      const type = TYPES[i % TYPES.length] ?? "knowledge";
      const hash = await contentHash({ content, type, workspaceId: null, scopeType: null, scopeId: null });
      return { content, type, hash, tokens: indexTokens(content, null), lifeMs: lifetimeMs(type) };
    }),
  );
}
