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
 * The path continues the group's unless there is a space before it. `/:` alone is the id of one of the group: `/:memoryId` of `memories`.
 * @example
 * parseOperation("memories", "POST!/:/restore?userId,sessionId")
 */
export function parseOperation(group: string, line: string): Operation {
  const [, method = "", mark = "", space, path = "", query = ""] = /^(\w+)([!~^-]?)( ?)([^?]*)\??(.*)/.exec(line) ?? [];
  const named = path.replace(/:(?!\w)/, `:${group.replace(/ies$/, "y").replace(/s$/, "")}Id`);
  return { method, mark, path: space ? named : group + named, query: query.split(",") };
}

/** What can be sent again when a request is repeated. */
export type FileBytes = string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;

/** No field but the bytes of a file is called `body`. */
export type Fields = { readonly body?: FileBytes | undefined; readonly [name: string]: unknown };
export type Request = {
  method: string;
  path: string;
  search: string;
  headers: Record<string, string>;
  body: FileBytes | null;
};

/** Puts each field of the input where the operation wants it: path, query, header or body. Fields that are undefined are absent. */
export function toRequest({ method, path, query, mark }: Operation, input: Fields): Request {
  const rest: { body?: FileBytes | undefined; [name: string]: unknown } = { ...input };
  const take = (name: string) => {
    const value = rest[name];
    delete rest[name];
    return value === undefined || value === null ? undefined : String(value);
  };
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
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
  const body = mark === "^" ? rest.body : JSON.stringify(rest);
  return { method, path: filled, search: String(search), headers, body: body === undefined || body === "{}" ? null : body };
}

/** Fields of an operation whose body belongs to somebody else, and that its headers carry, as `x-edgewise-user`. */
const PLACE = ["userId", "sessionId", "projectId", "workspaceId", "memory"];
