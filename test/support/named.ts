/** The parts of a request that are read; `user: null` names nobody. */
type Asked = { body?: unknown; headers?: Record<string, string>; user?: string | null };

type Named = { path: string; body?: unknown; headers?: Record<string, string> };

/** Routes about the tenant, which name no user; for memories, those that a key with `admin` reviews. */
const OF_TENANT =
  /^\/(openapi|docs|v1\/(keys|settings|users|topics|jobs|usage|audit|doctor|lifecycle|health|models|memories\/review|memories\/[^/]+\/(approve|reject)))\b/;
/** Writes that name their user in the query, whatever their body. */
const IN_QUERY =
  /^(PATCH \/v1\/memories\/|POST \/v1\/memories\/[^/]+\/restore|PUT \/v1\/(people\/[^/]+\/aliases\/|projects\/[^/]+\/members\/|sources\/[^/]+\/files))/;

/** The request with its user, unless it names one, or is about none. */
export function named(method: string, path: string, request: Asked): Named {
  const { body, headers = {}, user = "me" } = request;
  const asked = { path, body, headers };
  if (user === null || OF_TENANT.test(path)) return asked;
  if (path === "/v1/chat/completions") return inHeader(asked, user);
  const inBody = ["POST", "PUT", "PATCH"].includes(method) && !IN_QUERY.test(`${method} ${path}`);
  if (inBody) return { ...asked, body: inObject(body, user) };
  if (new URL(path, "https://edgewise.test").searchParams.has("userId")) return asked;
  return { ...asked, path: `${path}${path.includes("?") ? "&" : "?"}userId=${encodeURIComponent(user)}` };
}

function inHeader(asked: Named, user: string): Named {
  const { body, headers = {} } = asked;
  const metadata = isObject(body) && isObject(body.metadata) ? body.metadata : {};
  const names = [headers["x-edgewise-user"], isObject(body) ? body.user : undefined, metadata.user_id];
  return names.some((name) => name !== undefined && name !== null)
    ? asked
    : { ...asked, headers: { ...headers, "x-edgewise-user": user } };
}

/** A memory with an owner names its user; one that is shared has none. */
function inObject(body: unknown, user: string): unknown {
  if (body === undefined) return { userId: user };
  if (!isObject(body) || "userId" in body) return body;
  if (Array.isArray(body.participants) && body.participants.length > 0) return { userId: body.participants[0], ...body };
  const memories = Array.isArray(body.memories) ? body.memories : [body];
  const isNamed = memories.some((memory) => isObject(memory) && ("ownerId" in memory || memory.shared === true));
  return isNamed ? body : { userId: user, ...body };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
}
