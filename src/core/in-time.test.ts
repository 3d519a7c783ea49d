import { describe, expect, it } from "vitest";
import { inTime } from "./in-time.ts";

const never = () => new Promise<string>(() => undefined);

describe("inTime", () => {
  it("answers what came in time", async () => {
    expect(await inTime(Promise.resolve("soon"), 1_000)).toEqual({ ok: true, value: "soon" });
  });

  it("distinguishes a failure from a late result", async () => {
    const error = new Error("no");
    expect(await inTime(Promise.reject(error), 1_000)).toEqual({ ok: false, reason: "failed", error });
    expect(await inTime(never(), 1)).toEqual({ ok: false, reason: "timeout" });
  });

  it("leaves a failure that comes too late to nobody", async () => {
    const { promise: late, reject } = Promise.withResolvers<string>();
    expect(await inTime(late, 1)).toEqual({ ok: false, reason: "timeout" });
    reject(new Error("too late"));
    // Node reports a rejection that nobody handles before the next turn of its loop.
    await new Promise((resolve) => setImmediate(resolve));
  });
});
