import { AppError } from "#core/errors";

/** A path in the router's form, with parameters as `:sessionId`. */
type RoutePath = string;

const PREFIX = "/v1";

/**
 * The address that a path without a route probably means, with parameters by their names: extra or trailing slashes, `/v1` missing or
 * repeated, capital letters. Null for none. The path itself is never repeated: it may contain private ids.
 */
export function createNearestAddress(paths: readonly RoutePath[]): (path: string) => string | null {
  const known = [...new Set(paths)]
    .toSorted((a, b) => parametersIn(a) - parametersIn(b))
    .map((route) => ({ pattern: patternOf(route), name: route.replaceAll(/:(\w+)/g, "{$1}") }));
  return (path) => {
    const plain = `/${path.split("/").filter(Boolean).join("/")}`;
    const rest = plain.replace(/^(?:\/v1(?=\/|$))+/i, "");
    const meant = [plain, `${PREFIX}${rest}`, rest].find((each) => known.some(({ pattern }) => pattern.test(each)));
    return meant === undefined ? null : (known.find(({ pattern }) => pattern.test(meant))?.name ?? null);
  };
}

/** `ofOpenAi` are the paths of OpenAI's API that are served: its clients send requests to others too. */
export function noSuchRoute(nearest: string | null, ofOpenAi: readonly RoutePath[]): AppError {
  const served = `Of OpenAI's API there are ${ofOpenAi.join(", ")}; for the rest, call the model server itself.`;
  const advice = nearest === null ? served : `Did you mean ${nearest}?`;
  return new AppError("not_found", `There is no such route. ${advice} GET /openapi.json lists them all.`);
}

function parametersIn(route: RoutePath): number {
  return route.split(":").length;
}

/** Literal segments in any case; a parameter is one segment. */
function patternOf(route: RoutePath): RegExp {
  const segments = route.split("/").map((segment) => (segment.startsWith(":") ? "[^/]+" : segment.replaceAll(".", "\\.")));
  return new RegExp(`^${segments.join("/")}$`, "i");
}
