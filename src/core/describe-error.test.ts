import { describe, expect, it } from "vitest";
import { describeError } from "./describe-error.ts";
import { AppError } from "./errors.ts";

describe("describeError", () => {
  it("never repeats a stranger's message, even one that spans lines and imitates a frame", () => {
    const error = new Error("Failed query: params: my secret\n    at secret (line:1:1)", {
      cause: new TypeError("third secret"),
    });
    const logged = JSON.stringify(describeError(error));
    expect(logged).not.toMatch(/secret/);
    expect(logged).toContain('"cause":"TypeError"');
  });

  it("keeps our own message and code", () => {
    expect(describeError(new AppError("conflict", "Try again."))).toMatchObject({ code: "conflict", message: "Try again." });
  });
});
