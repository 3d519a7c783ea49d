import { AppError } from "#core/errors";
import { nearestName } from "#core/nearest-name";

/** A path in the router's form, with parameters as `:sessionId`. */
type RoutePath = string;

const PREFIX = "/v1";

/**
 * The address that a path without a route probably means, with parameters by their names: extra or trailing slashes, `/v1` missing or
 * repeated, capital letters, a misspelt or singular name, or a list that belongs to something else. Null for none. The path itself is
 * never repeated: it may contain private ids.
 */
export function createNearestAddress(paths: readonly RoutePath[]): (path: string) => string | null {
  const known = [...new Set(paths)]
    .toSorted((a, b) => parametersIn(a) - parametersIn(b))
    .map((route) => ({ pattern: patternOf(route), name: route.replaceAll(/:(\w+)/g, "{$1}") }));
  const lists = new Set(known.flatMap(({ name }) => /^\/v1\/([a-z]+)$/.exec(name)?.[1] ?? []));
  return (path) => {
    const plain = `/${path.split("/").filter(Boolean).join("/")}`;
    const rest = plain.replace(/^(?:\/v1(?=\/|$))+/i, "");
    const meant = [plain, `${PREFIX}${rest}`, rest].find((each) => known.some(({ pattern }) => pattern.test(each)));
    if (meant !== undefined) return known.find(({ pattern }) => pattern.test(meant))?.name ?? null;
    const first = /^\/(?:v\d+\/)?([^/]+)/i.exec(plain)?.[1] ?? "";
    if (lists.has(first.toLowerCase())) return `${PREFIX}/${first.toLowerCase()}`;
    const below = known.find(({ name }) => name.endsWith(`}/${first.toLowerCase()}`));
    if (below !== undefined) return below.name;
    const list = [first, `${first}s`, first.replace(/y$/i, "ies")].map((each) => nearestName(each, [...lists])).find(Boolean);
    return list == null ? null : `${PREFIX}/${list}`;
  };
}

/** What a client of OpenAI's API is told, which sends requests to routes that are not served too. */
export function notOfOpenAi(served: readonly RoutePath[]): AppError {
  const message = `There is no such route. Of OpenAI's API there are ${served.join(", ")}; for the rest, call the model server itself.`;
  return new AppError("not_found", message);
}

export function noSuchRoute(nearest: string | null): AppError {
  const advice = nearest === null ? "" : ` Did you mean ${nearest}?`;
  return new AppError("not_found", `There is no such route.${advice} GET /openapi.json lists them all.`);
}

function parametersIn(route: RoutePath): number {
  return route.split(":").length;
}

/** Literal segments in any case; a parameter is one segment. */
function patternOf(route: RoutePath): RegExp {
  const segments = route.split("/").map((segment) => (segment.startsWith(":") ? "[^/]+" : segment.replaceAll(".", "\\.")));
  return new RegExp(`^${segments.join("/")}$`, "i");
}
