/** What a router knows of a route; middleware has the method `ALL`. */
type RouteShape = { method: string; path: string };

/**
 * The methods that a path takes, in the form of `allow`; empty where there is no such route. As in OpenAPI, a path that is a route as
 * it stands is no other's parameter: /v1/people/me is nobody's id. Hono answers HEAD as GET, and `answerBrowsers` OPTIONS.
 */
export function createAllow(routes: () => readonly RouteShape[]): (path: string) => string {
  let known: { literal: Map<string, string>; others: { pattern: RegExp; methods: string }[] } | undefined;
  return (path) => {
    known ??= readRoutes(routes());
    return known.literal.get(path) ?? known.others.find(({ pattern }) => pattern.test(path))?.methods ?? "";
  };
}

function readRoutes(routes: readonly RouteShape[]) {
  const paths = Map.groupBy(
    routes.filter(({ method }) => method !== "ALL"),
    ({ path }) => path,
  );
  const all = [...paths].map(([path, group]) => ({ path, methods: methodsOf(group) }));
  const isLiteral = ({ path }: { path: string }) => !path.includes(":");
  return {
    literal: new Map(all.filter(isLiteral).map(({ path, methods }) => [path, methods])),
    others: all.filter((route) => !isLiteral(route)).map(({ path, methods }) => ({ pattern: patternOf(path), methods })),
  };
}

function methodsOf(routes: readonly RouteShape[]): string {
  const methods = new Set([...routes.map(({ method }) => method), "OPTIONS"]);
  if (methods.has("GET")) methods.add("HEAD");
  return [...methods].toSorted().join(", ");
}

/** A parameter such as `:sessionId` is one segment. */
function patternOf(path: string): RegExp {
  const segments = path.split("/").map((segment) => (segment.startsWith(":") ? "[^/]+" : segment.replaceAll(".", "\\.")));
  return new RegExp(`^${segments.join("/")}$`);
}
