import type { Ctx } from "#context";
import { getSettings } from "#domain/settings";
import { speaksOfOwn } from "./own-words.ts";
import { type SaidFacts, type SaidMessage, saidFacts } from "./said-facts.ts";
import { topicIndexOf } from "./topics-of.ts";

/** What the messages of an append say of ranked lists; a time to come counts as now, so that it cannot outlast what follows. Null for nothing, and where the tenant has nothing taken from talk. Most messages cost no look. */
export async function readSaid(ctx: Ctx<"db" | "caches" | "now">, messages: readonly SaidMessage[]): Promise<SaidFacts | null> {
  const likely = messages.filter(({ text }) => speaksOfOwn(text));
  if (likely.length === 0) return null;
  const [settings, topicIndex] = await Promise.all([getSettings(ctx), topicIndexOf(ctx)]);
  if (!settings.enabled || settings.extraction === "off") return null;
  const now = ctx.now();
  const clamped = likely.map((message) => ({ ...message, occurredAt: Math.min(message.occurredAt, now) }));
  return saidFacts(clamped, topicIndex);
}
