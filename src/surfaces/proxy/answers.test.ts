import { expect, it } from "vitest";
import { headersFromUpstream, memoryHeader } from "./answers.ts";

it("brings back what a client looks at, and neither lengths, encodings nor cookies", () => {
  const given = new Headers({
    "content-type": "application/json",
    "content-encoding": "gzip",
    "content-length": "5",
    "transfer-encoding": "chunked",
    "set-cookie": "a=b",
    "access-control-allow-origin": "*",
    "x-edgewise-memory": "injected; items=99; tokens=1",
    "retry-after": "3",
    "retry-after-ms": "3000",
    "x-should-retry": "false",
    "x-ratelimit-remaining-tokens": "9",
    "openai-processing-ms": "12",
    "x-request-id": "req_1",
    "content-security-policy": "script-src *",
  });
  expect(Object.fromEntries(headersFromUpstream(given))).toEqual({
    "content-type": "application/json",
    "retry-after": "3",
    "retry-after-ms": "3000",
    "x-should-retry": "false",
    "x-ratelimit-remaining-tokens": "9",
    "openai-processing-ms": "12",
    "x-upstream-request-id": "req_1",
    "x-content-type-options": "nosniff",
    "content-security-policy": expect.stringMatching(/^default-src 'none'; .*sandbox$/),
  });
});

it("says what became of memory, in ASCII", () => {
  expect([
    memoryHeader({ kind: "off" }),
    memoryHeader({ kind: "side-request" }),
    memoryHeader({ kind: "none" }),
    memoryHeader({ kind: "injected", items: 3, tokens: 120 }),
    memoryHeader({ kind: "answered", topic: null }),
    memoryHeader({ kind: "answered", topic: "颜色; x=1" }),
    memoryHeader({ kind: "skipped", reason: "timeout" }),
  ]).toEqual([
    "off",
    "side-request",
    "none",
    "injected; items=3; tokens=120",
    "answered",
    "answered; topic=%E9%A2%9C%E8%89%B2%3B%20x%3D1",
    "skipped; reason=timeout",
  ]);
});
