/** An operation as a line of the generated table says it. */
export type Operation = {
  method: string;
  path: string;
  /** Whether the service carries out a request once for each `idempotency-key`. */
  takesKey: boolean;
  /** Fields that go into the query although the request has a body. */
  query: readonly string[];
  /** Fields that go into a header `x-edgewise-…`. */
  headers: readonly string[];
};

/**
 * @example
 * parseOperation("POST! memories/{memoryId}/restore?userId,sessionId")
 */
export function parseOperation(line: string): Operation {
  const [, method = "", key, path = "", query, headers] = /^(\w+)(!?) ([^?#]+)\??([^#]*)#?(.*)$/.exec(line) ?? [];
  return { method, path, takesKey: key === "!", query: namesIn(query), headers: namesIn(headers) };
}

function namesIn(list = ""): string[] {
  return list === "" ? [] : list.split(",");
}

export type Fields = Readonly<Record<string, unknown>>;
export type Request = { method: string; path: string; headers: Record<string, string>; body: string | undefined };

/** Puts each field of the input where the operation wants it: path, query, header or body. Fields that are undefined are absent. */
export function toRequest({ method, path, query, headers }: Operation, input: Fields): Request {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const take = (name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return value;
  };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = take(name);
    if (value === undefined || value === null || value === "")
      throw new TypeError(`\`${name}\` is missing: it is part of the address.`);
    return encodeURIComponent(String(value));
  });
  const inHeaders = headers.flatMap((name) => {
    const value = take(name === "memory" ? name : `${name}Id`);
    return value === undefined ? [] : [[`x-edgewise-${name}`, encodeURIComponent(String(value))]];
  });
  const noBody = method === "GET" || method === "DELETE";
  const search = new URLSearchParams();
  for (const name of noBody ? [...rest.keys()] : query) {
    const value = take(name);
    if (value !== undefined) search.append(name, String(value));
  }
  return {
    method,
    path: search.size > 0 ? `${filled}?${search}` : filled,
    headers: Object.fromEntries(inHeaders),
    body: rest.size > 0 ? JSON.stringify(Object.fromEntries(rest)) : undefined,
  };
}
