import { type Path, type Schema, stringFields, withAt } from "#test/string-fields";
import { type Ids, ROUTES } from "../../test/isolation/routes.ts";

/** A place for text in a request: the request that holds a text of at most `most` characters there. */
export type Slot = { route: string; field: string; most: number; request: (text: string) => Request };
export type Request = { method: string; path: string; body: string | Uint8Array; headers: Record<string, string> };

type Operation = { requestBody?: { content?: Record<string, { schema?: Schema }> } };
export type OpenApi = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** Items into which a text is divided where the field is in a list. */
const ITEMS = 20;
/** Routes that are left out: they end what the others need, or pass the text to a model server and store nothing. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  "patch /v1/settings",
  "post /v1/tokens/rotate",
  "post /v1/tokens/revoke",
  "delete /v1/users/{userId}",
]);

/** Every string of every request body of the API, of what `ROUTES` sends as an ordinary request. */
export function slotsOf({ paths, components }: OpenApi, ids: Ids): Slot[] {
  return Object.entries(paths).flatMap(([address, operations]) =>
    Object.entries(operations).flatMap(([method, operation]): Slot[] => {
      const route = `${method} ${address}`;
      const known = ROUTES[route];
      const schema = operation.requestBody?.content?.["application/json"]?.schema;
      if (known === undefined || schema === undefined || known.isFile === true || LEFT_OUT.has(route)) return [];
      const [path, base, headers] = [known.path(ids), known.body?.(ids) ?? {}, known.headers?.(ids) ?? {}];
      return stringFields(schema, components.schemas).map((field) => ({
        route,
        field: field.join("."),
        most: 0,
        request: (text) => ({
          method: method.toUpperCase(),
          path,
          headers: { "content-type": "application/json", ...headers },
          body: JSON.stringify(filled(base, field, text)),
        }),
      }));
    }),
  );
}

/** With the text in that field; in a list, parts of it in several items like the first. */
function filled(base: unknown, field: Path, text: string): unknown {
  const list = field.indexOf(0);
  if (list < 0 || text.length < ITEMS * ITEMS) return withAt(base, field, text);
  const [before, after] = [field.slice(0, list), field.slice(list + 1)];
  const first = before.reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], base);
  const part = Math.ceil(text.length / ITEMS);
  const items = Array.from({ length: ITEMS }, (_, i) =>
    withAt(Array.isArray(first) ? first[0] : undefined, after, text.slice(i * part, (i + 1) * part)),
  );
  return withAt(base, before, items);
}

const EXTENSIONS = ["md", "html", "csv", "json", "txt", "ts"];
const PLATFORMS = {
  chatgpt: (text: string) => ({
    conversations: [
      {
        id: crypto.randomUUID(),
        title: "a",
        current_node: "b",
        mapping: { b: { message: { author: { role: "user" }, content: { content_type: "text", parts: [text] } } } },
      },
    ],
  }),
  claude: (text: string) => ({
    conversations: [{ uuid: crypto.randomUUID(), name: "a", chat_messages: [{ uuid: "m", sender: "human", text }] }],
    projects: [{ uuid: crypto.randomUUID(), name: "p", docs: [{ filename: "a.md", content: text }] }],
  }),
  gemini: (text: string) => ({
    activities: [
      {
        header: "Gemini Apps",
        title: `Prompted ${text.slice(0, text.length / 2)}`,
        time: "2026-03-01T10:00:00Z",
        products: ["Gemini Apps"],
        safeHtmlItem: [{ html: text.slice(text.length / 2) }],
      },
    ],
  }),
  openai: (text: string) => ({ conversations: [{ id: crypto.randomUUID(), messages: [{ role: "user", content: text }] }] }),
};

/** Texts in other forms: files, exports of platforms, and tools over MCP. `imports` are one of each platform. */
export function otherSlots(ids: Ids, imports: Readonly<Record<keyof typeof PLATFORMS, string>>): Slot[] {
  const json = { "content-type": "application/json" };
  const post = (path: string, body: unknown, headers = {}): Request => ({
    method: "POST",
    path,
    body: JSON.stringify(body),
    headers: { ...json, ...headers },
  });
  const files = EXTENSIONS.map(
    (extension): Slot => ({
      route: "post /v1/sources/{sourceId}/files",
      field: `a file .${extension}`,
      most: 0,
      request: (text) =>
        post(`/v1/sources/${ids.source}/files`, {
          userId: ids.user,
          files: [{ path: `${crypto.randomUUID()}.${extension}`, content: text }],
        }),
    }),
  );
  const platforms = Object.entries(PLATFORMS).map(
    ([name, part]): Slot => ({
      route: "post /v1/imports/{importId}/parts",
      field: `of ${name}`,
      most: 0,
      request: (text) =>
        post(`/v1/imports/${imports[name as keyof typeof PLATFORMS]}/parts`, { userId: ids.user, ...part(text) }),
    }),
  );
  const mcp = {
    "x-edgewise-user": ids.user,
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2025-06-18",
  };
  const tool = (name: string, args: (text: string) => object): Slot => ({
    route: "post /mcp",
    field: name,
    most: 0,
    request: (text) =>
      post("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args(text) } }, mcp),
  });
  return [...files, ...platforms, tool("remember", (content) => ({ content })), tool("search_memory", (query) => ({ query }))];
}
