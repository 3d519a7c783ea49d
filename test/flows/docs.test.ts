import { expect, it } from "vitest";
import { createHarness } from "#test/harness";

it("/docs needs no key, and each answer has a nonce of its own, which its page names", async () => {
  const h = await createHarness();
  const nonces = [];
  for (let i = 0; i < 2; i += 1) {
    const { status, text, headers } = await h.fetch("GET", "/docs", { key: null });
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=UTF-8"]);
    const [, nonce = ""] = /'nonce-([\w-]+)'/.exec(headers.get("content-security-policy") ?? "") ?? [];
    expect(text).toContain(`<meta property="csp-nonce" content="${nonce}">`);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    nonces.push(nonce);
  }
  expect(nonces[0]).not.toBe(nonces[1]);
  expect(nonces[0]).toHaveLength(36);
});
