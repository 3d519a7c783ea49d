import { createHmac, hkdfSync } from "node:crypto";
import { expect, it } from "vitest";
import { createSecretBox } from "./secret-box.ts";

const SECRET = "a secret of tests, long enough for any of them";

it("signs as its documentation says", async () => {
  const key = Buffer.from(hkdfSync("sha256", SECRET, "", "edgewise signatures receipts", 32));
  const expected = createHmac("sha256", key).update("text").digest("hex");
  expect(await createSecretBox(SECRET).sign("text", "receipts")).toBe(expected);
});

it("signs the same text differently in another context and with another secret", async () => {
  const signatures = await Promise.all([
    createSecretBox(SECRET).sign("text", "receipts"),
    createSecretBox(SECRET).sign("text", "tombstones"),
    createSecretBox(`${SECRET}!`).sign("text", "receipts"),
  ]);
  expect(new Set(signatures).size).toBe(3);
});
