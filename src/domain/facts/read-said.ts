import type { Ctx } from "#context";
import { getSettings } from "#domain/settings";
import { speaksOfOwn } from "./own-words.ts";
import { type SaidFacts, type SaidMessage, saidFacts } from "./said-facts.ts";
import { bookOf } from "./topics-of.ts";

/** What the messages of an append say of ranked lists; null for nothing, and where the tenant has nothing taken from talk. Most messages cost no look. */
export async function readSaid(ctx: Ctx<"db" | "caches" | "now">, messages: readonly SaidMessage[]): Promise<SaidFacts | null> {
  const likely = messages.filter(({ text }) => speaksOfOwn(text));
  if (likely.length === 0) return null;
  const [settings, book] = await Promise.all([getSettings(ctx), bookOf(ctx)]);
  return settings.enabled && settings.extraction !== "off" ? saidFacts(likely, book) : null;
}
