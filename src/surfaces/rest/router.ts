import { OpenAPIHono } from "@hono/zod-openapi";
import { refuseSecretNames } from "#core/safety/name-secrets";
import { inputError } from "./problem.ts";
import type { MatchedRoute, RestEnv, Traits } from "./rest-env.ts";
import { traitsOf } from "./route.ts";

/** The only way to create a router: a nested one does not inherit its parent's handler of invalid input. */
export function createRouter({ getPath }: { getPath?: (request: Request) => string } = {}): OpenAPIHono<RestEnv> {
  return new OpenAPIHono<RestEnv>({
    ...(getPath === undefined ? {} : { getPath }),
    defaultHook: (result, c) => {
      if (!result.success) throw inputError(result.error, result.target);
      // A request that only reads or deletes may name ids that an older release has stored.
      if (c.var.route.traits?.storesNames === true && result.target !== "header") refuseSecretNames(result.data);
    },
  });
}

type Served = { method: string; path: string; traits: Traits | null };

/**
 * Finds the route of a method and path. As in OpenAPI, a literal path has priority over a parameter: in /v1/people/me, `me` is not an id.
 * @throws Error if a route under /v1 was not made by `routesOf`, because the middleware would not know its traits.
 */
export function createRouteTable(served: readonly Served[]): (method: string, path: string) => MatchedRoute {
  const paths = Map.groupBy(served, ({ path }) => path);
  const literal = new Map([...paths].filter(([path]) => !path.includes(":")));
  const others = [...paths].flatMap(([path, routes]) => (path.includes(":") ? [{ pattern: patternOf(path), routes }] : []));
  return (method, path) => {
    const here = literal.get(path) ?? others.find(({ pattern }) => pattern.test(path))?.routes ?? [];
    const name = method === "HEAD" ? "GET" : method;
    return {
      allow: here.length === 0 ? "" : methodsOf(here),
      traits: here.find((route) => route.method === name)?.traits ?? null,
      // A path without a route may be one of OpenAI's that is not served.
      openAiErrors: here.length === 0 ? path.startsWith("/v1/") : here.some(({ traits }) => traits?.openAiErrors === true),
    };
  };
}

/** The routes of the app, with the traits that `routesOf` gave them. */
export function servedRoutes(app: OpenAPIHono<RestEnv>): Served[] {
  const declared = app.openAPIRegistry.definitions.flatMap((definition) =>
    definition.type === "route" ? [definition.route] : [],
  );
  const byName = new Map(declared.map((route) => [`${route.method.toUpperCase()} ${route.path}`, traitsOf(route)]));
  return app.routes
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => {
      const name = `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`;
      const traits = byName.get(name) ?? null;
      if (traits === null && path.startsWith("/v1/")) throw new Error(`${name} has no traits: make it with routesOf().`);
      return { method, path, traits };
    });
}

/** Hono answers HEAD as GET, and `answerBrowsers` OPTIONS. */
function methodsOf(routes: readonly Served[]): string {
  const methods = new Set([...routes.map(({ method }) => method), "OPTIONS"]);
  if (methods.has("GET")) methods.add("HEAD");
  return [...methods].toSorted().join(", ");
}

/** A parameter such as `:sessionId` is one segment. */
function patternOf(path: string): RegExp {
  const segments = path.split("/").map((segment) => (segment.startsWith(":") ? "[^/]+" : segment.replaceAll(".", "\\.")));
  return new RegExp(`^${segments.join("/")}$`);
}
