import { createRoute } from "@hono/zod-openapi";
import { describe, expect, it } from "vitest";
import { app } from "./app.ts";
import { MAX_BODY_BYTES, routesOf } from "./route.ts";
import { createRouter, createRouteTable, servedRoutes } from "./router.ts";
import { inMemories } from "./session-place.ts";

describe("the route of a path", () => {
  const find = createRouteTable([
    { method: "GET", path: "/openapi.json", traits: null },
    { method: "GET", path: "/v1/people/:personId", traits: null },
    { method: "PATCH", path: "/v1/people/:personId", traits: null },
    { method: "GET", path: "/v1/people/me", traits: null },
    { method: "PUT", path: "/v1/people/:personId/aliases/:alias", traits: null },
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
  ])("of %s takes %s", (path, methods) => {
    expect(find("GET", path).allow).toBe(methods);
  });
});

describe("the routes of the app", () => {
  const find = createRouteTable(servedRoutes(app));

  it("allow their own method", () => {
    const own = app.routes.filter(({ method }) => method !== "ALL");
    expect(own.length).toBeGreaterThan(70);
    for (const { method, path } of own) expect(find(method, path).allow.split(", ")).toContain(method);
  });

  it("have the traits that they declare", () => {
    expect(find("POST", "/v1/memories").traits).toEqual({
      permission: "write",
      keysOnly: false,
      changes: true,
      session: inMemories,
      bodyLimit: MAX_BODY_BYTES,
      storesNames: true,
      openAiErrors: false,
      rawBody: false,
    });
    expect(find("POST", "/v1/search").traits).toMatchObject({ permission: "read", storesNames: false });
    expect(find("DELETE", "/v1/memories/mem_1").traits).toMatchObject({ permission: "write", storesNames: false });
    expect(find("HEAD", "/v1/health").traits).toMatchObject({ permission: null });
    expect(find("POST", "/v1/chat/completions").traits).toMatchObject({ bodyLimit: 10_000_000, openAiErrors: true });
  });

  it("keep the form of errors for a method that the path does not take", () => {
    expect(find("GET", "/v1/chat/completions")).toEqual({ allow: "OPTIONS, POST", traits: null, openAiErrors: true });
  });

  it("are refused without traits", () => {
    const responses = { 204: { description: "Done" } };
    const bare = createRouter().openapi(createRoute({ method: "get", path: "/v1/bare", responses }), (c) => c.body(null, 204));
    expect(() => servedRoutes(bare)).toThrow("GET /v1/bare has no traits");
  });

  it("do not compile without what each has to declare", () => {
    const route = routesOf({ tag: "health", answersContent: false });
    const operation = {
      path: "/v1/x",
      operationId: "x.y",
      summary: "",
      description: "",
      permission: null,
      session: "anywhere",
      responses: {},
    } as const;
    route({ ...operation, method: "get" });
    // @ts-expect-error: a POST is `readOnly`, or says what of its answer is kept for a repeat.
    route({ ...operation, method: "post" });
    const { permission: _permission, ...open } = operation;
    // @ts-expect-error: a route says which permission it needs.
    route({ ...open, method: "get" });
    const { session: _session, ...placeless } = operation;
    // @ts-expect-error: a route says how a request names its session.
    route({ ...placeless, method: "get" });
  });
});
