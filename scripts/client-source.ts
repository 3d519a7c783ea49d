import { isRecord } from "#core/is-record";

/** What the generator reads of an OpenAPI document. */
export type ApiDocument = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

type Schema = { $ref?: string; properties?: Record<string, Schema>; anyOf?: Schema[] };
type Parameter = { name: string; in: string };
type Content = Record<string, { schema: Schema }>;
type Operation = {
  operationId: string;
  summary: string;
  description: string;
  parameters?: Parameter[];
  requestBody?: { content: Content };
  security?: object[];
  responses: Record<string, { content?: Content }>;
};

/** Operations that a caller finds directly on the client, under a name of one word. All others are `group.method`, as their ids say. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  "search.query": "search",
  "context.build": "context",
  "facts.answer": "answer",
  "extraction.preview": "extract",
};

/** The document without what the client's types do not show: answers to failed requests, headers, examples and receipts. */
export function clientDocument(document: unknown): ApiDocument {
  const { paths, components } = asDocument(structuredClone(document));
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    operation.responses = Object.fromEntries(
      Object.entries(operation.responses)
        .filter(([status]) => status.startsWith("2"))
        .map(([status, { content }]) => [status, { description: "", content: withoutExamples(content) }]),
    );
  }
  return asDocument({
    openapi: "3.1.0",
    info: { title: "Edgewise", version: "1" },
    paths,
    components: { schemas: components.schemas },
  });
}

function withoutExamples(content: Content = {}): Content {
  return Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, { schema }]));
}

type Named = { group: string | null; name: string; method: string; path: string; operation: Operation };

/** All operations, sorted by the name by which the client calls them. */
function namedOperations({ paths }: ApiDocument): Named[] {
  const named = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const short = SHORT_NAMES[operation.operationId];
      const [group = "", name = ""] = operation.operationId.split(".");
      return { ...(short === undefined ? { group, name } : { group: null, name: short }), method, path, operation };
    }),
  );
  const key = ({ group, name }: Named) => (group === null ? name : `${group}.${name}`);
  return named.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** The table that the client reads at run time; its format is that of `parseOperation` in packages/client/src/operation.ts. */
export function operationsSource(document: ApiDocument): string {
  const line = (named: Named) => JSON.stringify(operationLine(document, named));
  // Gzip makes less of them in this order.
  const all = namedOperations(document).toSorted((a, b) => line(a).length - line(b).length);
  const lines = render(all, line);
  return `${HEADER}export const OPERATIONS = {\n${lines}};\n`;
}

/** Types of all methods with what the document says about each. */
export function apiSource(document: ApiDocument): string {
  const types = render(namedOperations(document), ({ operation }) => `Method<"${operation.operationId}">`, docComment);
  return `${HEADER}import type { Method } from "../method.ts";\n\nexport interface Api {\n${types}}\n`;
}

const HEADER = "// Written by `npm run generate:client` from the OpenAPI document of the service.\n";

function render(all: readonly Named[], value: (named: Named) => string, comment: (named: Named) => string = () => ""): string {
  const separator = comment(all[0] as Named) === "" ? "," : ";";
  const line = (named: Named, indent: string) =>
    `${comment(named)}${named.name}: ${value(named)}${separator}\n`.replace(/^/gm, indent).trimEnd();
  const groups = [...new Set(all.map(({ group }) => group))];
  return groups
    .map((group) => {
      const members = all.filter((named) => named.group === group);
      if (group === null) return members.map((named) => `${line(named, "  ")}\n`).join("");
      return `  ${group}: {\n${members.map((named) => `${line(named, "    ")}\n`).join("")}  }${separator}\n`;
    })
    .join("");
}

/**
 * The operation in one line, as `parseOperation` reads it: method, mark, path (after the group's, where it begins so, else after a space)
 * and the fields that go into the query although there is a body.
 */
function operationLine(document: ApiDocument, { method, path, group, name, operation }: Named): string {
  const { parameters = [], requestBody, operationId } = operation;
  const inBody = new Set(requestBody === undefined ? [] : fieldsOf(document, requestBody.content["application/json"]?.schema));
  const namesIn = (place: string) => parameters.filter((each) => each.in === place).map((each) => each.name);
  const clash = namesIn("path").find((each) => inBody.has(each) || namesIn("query").includes(each));
  if (clash !== undefined) throw new Error(`${operationId} has the field ${clash} twice.`);
  // GET and DELETE send all their fields in the query.
  const query = method === "get" || method === "delete" ? [] : namesIn("query").filter((each) => !inBody.has(each));
  const start = group ?? name;
  const own = `:${start.replace(/ies$/, "y").replace(/s$/, "")}Id`;
  const short = path
    .replace(/^\/v1\//, "")
    .replaceAll(/\{(\w+)\}/g, ":$1")
    .replace(new RegExp(`${own}(?!\\w)`), ":");
  const rest = short === start || short.startsWith(`${start}/`) ? short.slice(start.length) : ` ${short}`;
  const called = `${method.toUpperCase()}${markOf(operation)}${rest}`;
  return query.length === 0 ? called : `${called}?${query.join()}`;
}

function markOf({ operationId, parameters = [], requestBody, security }: Operation): string {
  const marks = {
    "-": security?.length === 0,
    "!": parameters.some(({ name }) => name === "idempotency-key"),
    "^": requestBody?.content["*/*"] !== undefined,
    "~": parameters.some(({ name }) => name === "x-edgewise-user"),
  };
  const all = Object.entries(marks).flatMap(([mark, isSet]) => (isSet ? [mark] : []));
  if (all.length > 1) throw new Error(`${operationId} has two marks: ${all.join(" ")}.`);
  return all.join("");
}

function fieldsOf(document: ApiDocument, schema: Schema = {}): string[] {
  if (schema.$ref !== undefined) return fieldsOf(document, document.components.schemas[schema.$ref.replace(/^.*\//, "")]);
  return [...Object.keys(schema.properties ?? {}), ...(schema.anyOf ?? []).flatMap((each) => fieldsOf(document, each))];
}

function docComment({ method, path, operation: { summary, description } }: Named): string {
  const text = `${summary}. ${description}`.replaceAll("*/", "* /").replaceAll("\n", " ");
  return `/** ${text} \`${method.toUpperCase()} ${path}\` */\n`;
}

/** Safe for the document of our own app, whose operations all have an id and a summary (`Declaration` in route.ts). */
function asDocument(document: unknown): ApiDocument {
  if (!isRecord(document) || !isRecord(document.paths)) throw new Error("This is no OpenAPI document.");
  return document as ApiDocument;
}
