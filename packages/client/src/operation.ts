/** An operation as a line of the generated table says it. */
export type Operation = {
  method: string;
  path: string;
  /** `!`: the service carries it out once for each idempotency key. `-`: it needs no token. `~`: it names its place in headers. `^`: its body is a file. */
  mark: string;
  /** Fields that go into the query although the request has a body. */
  query: readonly string[];
};

/**
 * A path that is empty or begins with a slash continues the group's.
 * @example
 * parseOperation("memories", "POST! /{memoryId}/restore?userId,sessionId")
 */
export function parseOperation(group: string, line: string): Operation {
  const [, method = "", mark = "", path = "", query = ""] = /^(\w+)([!~^-]?) ?([^?]*)\??(.*)/.exec(line) ?? [];
  return { method, mark, path: /^[^/]/.test(path) ? path : group + path, query: query.split(",") };
}

/** What can be sent again when a request is repeated. */
export type FileBytes = string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;

export type Fields = Readonly<Record<string, unknown>>;
export type Request = { method: string; path: string; search: string; headers: Record<string, string>; body: FileBytes | null };

/** Puts each field of the input where the operation wants it: path, query, header or body. Fields that are undefined are absent. */
export function toRequest({ method, path, query, mark }: Operation, input: Fields): Request {
  const rest = { ...input };
  const take = (name: string) => {
    const value = rest[name];
    delete rest[name];
    return value === undefined || value === null ? undefined : String(value);
  };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = take(name) ?? "";
    // Instead of these, fetch would send another address.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`\`${name}\` is missing, or no id.`);
    return encodeURIComponent(value);
  });
  const headers: Record<string, string> = {};
  for (const name of mark === "~" ? PLACE : []) {
    const value = take(name);
    if (value !== undefined) headers[`x-edgewise-${name.replace("Id", "")}`] = encodeURIComponent(value);
  }
  const search = new URLSearchParams();
  for (const name of method === "GET" || method === "DELETE" ? Object.keys(rest) : query) {
    const value = take(name);
    if (value !== undefined) search.set(name, value);
  }
  if (mark === "^") return { method, path: filled, search: String(search), headers, body: fileIn(rest.body) };
  const body = JSON.stringify(rest);
  return { method, path: filled, search: String(search), headers, body: body === "{}" ? null : body };
}

function fileIn(body: unknown): FileBytes {
  if (typeof body === "string" || body instanceof Blob || body instanceof ArrayBuffer) return body;
  if (body instanceof Uint8Array && body.buffer instanceof ArrayBuffer)
    return new Uint8Array(body.buffer, body.byteOffset, body.length);
  throw new TypeError("`body` is missing, or no text, Blob, ArrayBuffer or Uint8Array.");
}

/** Fields of an operation whose body belongs to somebody else, and that its headers carry, as `x-edgewise-user`. */
const PLACE = ["userId", "sessionId", "projectId", "workspaceId", "memory"];
