import type { Services } from "#context";

/** Counts what an invocation has asked of D1 so far. */
export type Meter = { readonly statements: number };

/** A part of what an invocation may use, from now on. */
export type Share = { isUsed: () => boolean };

export function shareOf(
  services: Pick<Services, "now">,
  meter: Meter,
  { ms, statements }: { ms: number; statements: number },
): Share {
  const until = services.now() + ms;
  const most = meter.statements + statements;
  return { isUsed: () => services.now() >= until || meter.statements >= most };
}
