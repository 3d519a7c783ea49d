import type { Ctx } from "#context";
import { AppError } from "#core/errors";

const CHANNEL_LIMIT_MS = 3_000;

/** When a channel that begins now is late, in Unix milliseconds; all that it does one after the other has this one deadline. */
export function channelDeadline(ctx: Ctx<"now">, limitMs: number = CHANNEL_LIMIT_MS): number {
  return ctx.now() + limitMs;
}

export type ChannelFailure = "failed" | "timeout" | "misconfigured";

/** Search answers without a channel that fails or is late; it says so in `degraded`. The failure itself is for the log. */
export async function orDegraded<T>(
  ctx: Ctx<"log" | "now">,
  work: Promise<T>,
  deadline: number,
): Promise<{ ok: true; value: T } | { ok: false; reason: ChannelFailure }> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), Math.max(0, deadline - ctx.now()));
  });
  try {
    const first = await Promise.race([work.then((value) => ({ value })), late]);
    if (first === "late") {
      work.catch(() => undefined);
      return { ok: false, reason: "timeout" };
    }
    return { ok: true, value: first.value };
  } catch (error) {
    const reason = error instanceof AppError && error.code === "misconfigured" ? "misconfigured" : "failed";
    ctx.log("search.degraded", { reason, code: error instanceof AppError ? error.code : "stranger" });
    return { ok: false, reason };
  } finally {
    clearTimeout(timer);
  }
}
