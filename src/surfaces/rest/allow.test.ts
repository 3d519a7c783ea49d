import { describe, expect, it } from "vitest";
import { createAllow } from "./allow.ts";
import { app } from "./app.ts";

describe("allow", () => {
  const allow = createAllow(() => [
    { method: "ALL", path: "/v1/*" },
    { method: "GET", path: "/openapi.json" },
    { method: "GET", path: "/v1/people/:personId" },
    { method: "PATCH", path: "/v1/people/:personId" },
    { method: "GET", path: "/v1/people/me" },
    { method: "PUT", path: "/v1/people/:personId/aliases/:alias" },
  ]);

  it.each([
    ["/v1/people/per_1", "GET, HEAD, OPTIONS, PATCH"],
    ["/v1/people/me", "GET, HEAD, OPTIONS"],
    ["/v1/people/per_1/aliases/Jo%20An", "OPTIONS, PUT"],
    ["/v1/people", ""],
    ["/v1/people/", ""],
    ["/v1/people/per_1/aliases", ""],
    ["/openapi.json", "GET, HEAD, OPTIONS"],
    ["/openapiXjson", ""],
  ])("of %s is %s", (path, methods) => {
    expect(allow(path)).toBe(methods);
  });

  it("of every route holds its own method", () => {
    const own = app.routes.filter(({ method }) => method !== "ALL");
    expect(own.length).toBeGreaterThan(70);
    for (const { method, path } of own) expect(createAllow(() => app.routes)(path).split(", ")).toContain(method);
  });
});
