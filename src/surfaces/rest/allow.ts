/** What a router knows of a route; middleware has the method `ALL`. */
type RouteShape = { method: string; path: string };

/** The methods of the routes that a path belongs to, in the form of `allow`; empty where there is none. Hono answers HEAD as GET. */
export function allowedMethods(routes: readonly RouteShape[], path: string): string {
  const methods = new Set(
    routes.filter((route) => route.method !== "ALL" && patternOf(route.path).test(path)).map(({ method }) => method),
  );
  if (methods.has("GET")) methods.add("HEAD");
  return [...methods].toSorted().join(", ");
}

/** Paths hold names and parameters such as `:sessionId`, which are one segment each. */
function patternOf(path: string): RegExp {
  const segments = path.split("/").map((segment) => (segment.startsWith(":") ? "[^/]+" : segment.replaceAll(".", "\\.")));
  return new RegExp(`^${segments.join("/")}$`);
}
