import type { Ctx } from "#context";
import { getSettings } from "#domain/settings";
import { type SaidFacts, type SaidMessage, saidFacts } from "./said-facts.ts";
import { bookOf } from "./topics-of.ts";

/** Words of which a list of one's own has at least one; most messages have none, and cost nothing more. */
const OF_ONES_OWN =
  /favou?r|liebling|pr[eé]f[eé]r|predilect|\b(?:my|our|top|best|rank\w*|mein\w*|mis?|mes|mon|ma)\b|[我最喜愛爱]/iu;

/** What the messages of an append say of ranked lists; null for nothing, and where the tenant has nothing taken from talk. */
export async function readSaid(ctx: Ctx<"db" | "caches" | "now">, messages: readonly SaidMessage[]): Promise<SaidFacts | null> {
  const likely = messages.filter(({ text }) => OF_ONES_OWN.test(text));
  if (likely.length === 0) return null;
  const [settings, book] = await Promise.all([getSettings(ctx), bookOf(ctx)]);
  return settings.enabled && settings.extraction !== "off" ? saidFacts(likely, book) : null;
}
