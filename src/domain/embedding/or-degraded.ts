import type { Ctx } from "#context";
import { AppError } from "#core/errors";

const CHANNEL_TIMEOUT_MS = 3_000;

export type ChannelFailure = "failed" | "timeout" | "misconfigured";

/** Search answers without a channel that fails or is late; it says so in `degraded`. The failure itself is for the log. */
export async function orDegraded<T>(
  ctx: Ctx<"log">,
  work: Promise<T>,
): Promise<{ ok: true; value: T } | { ok: false; reason: ChannelFailure }> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), CHANNEL_TIMEOUT_MS);
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
