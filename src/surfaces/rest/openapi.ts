import type { OpenAPIHono } from "@hono/zod-openapi";
import { html, raw } from "hono/html";
import { isRecord } from "#core/is-record";
import { registerProblems } from "./problem-responses.ts";
import { registerHeaders } from "./response-headers.ts";
import type { RestEnv } from "./rest-env.ts";
import { TAGS } from "./tags.ts";

const INFO = {
  title: "Edgewise",
  version: "1",
  summary: "A memory API for chat apps.",
  description:
    "Send Edgewise conversations; before each reply it returns what the model should know.\n\n" +
    "Names of users, sessions and projects are the app's own. A server key names `userId` in every request about a user; a personal key is " +
    "made for one user and names nobody. A page holds a user token, which a server makes for its user, and names nobody either. A key without the permission `read` gets no stored content back: a receipt instead of the answer " +
    "that is described here. Every POST that changes something takes an `Idempotency-Key`, and every request `x-edgewise-bookmark`, the header of an earlier answer.",
  contact: { name: "The maintainers of Edgewise" },
  license: { name: "MIT", identifier: "MIT" },
};

type Document = ReturnType<OpenAPIHono<RestEnv>["getOpenAPI31Document"]>;

const documents = new WeakMap<OpenAPIHono<RestEnv>, Document>();

/**
 * The OpenAPI 3.1 document, generated once from the schemas that validate. The origin is the service's own, as in
 * https://memory.example.com.
 */
export function openApiDocument(app: OpenAPIHono<RestEnv>, origin: string): Document {
  const made = documents.get(app) ?? makeDocument(app);
  documents.set(app, made);
  // Redocly warns about a server called localhost, because that is usually published by mistake.
  const url = origin.replace(/\/\/localhost\b/, "//127.0.0.1");
  return {
    ...made,
    servers: [{ url, description: "The service that serves this document" }],
    externalDocs: { description: "All operations on one page", url: `${url}/docs` },
  };
}

function makeDocument(app: OpenAPIHono<RestEnv>): Document {
  const key = { type: "http", scheme: "bearer", description: "An API key: `Authorization: Bearer ew_…`" } as const;
  const token = {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description:
      "A user token, for pages: `Authorization: Bearer eyJ…`. It acts for one user. A server makes it (`tokens.create`), or the tenant's identity provider does",
  } as const;
  app.openAPIRegistry.registerComponent("securitySchemes", "key", key);
  app.openAPIRegistry.registerComponent("securitySchemes", "token", token);
  registerHeaders(app);
  registerProblems(app);
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: INFO,
    security: [{ key: [] }, { token: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  });
  const schemas = mapValues(document.components?.schemas ?? {}, withoutDefaults);
  const paths = mapValues(document.paths ?? {}, (item) => (isRecord(item) ? mapValues(item, withExamples) : item));
  return { ...document, paths, components: { ...document.components, schemas } };
}
/** Examples of ids, those of an app and those of Edgewise, for parameters with these names. */
const PARAMETER_EXAMPLES: Record<string, string | number> = {
  userId: "alice",
  sessionId: "chat-1",
  projectId: "apollo",
  memberId: "bob",
  memoryId: "mem_01a1f92c-720b-7527-9cd5-76463f8b4abc",
  episodeId: "epi_01a1f92c-720b-7527-9cd5-76463f8b4abc",
  entityId: "ent_01a1f92c-720b-7527-9cd5-76463f8b4abc",
  personId: "per_01a1f92c-720b-7527-9cd5-76463f8b4abc",
  mergeId: "mrg_01a1f92c-720b-7527-9cd5-76463f8b4abc",
  forgettingId: "fgt_01a1f92c-720b-7527-9cd5-76463f8b4abd",
  keyId: "key_01a1f92c-720b-7527-9cd5-76463f8b4abc",
  jobId: "job_01a1f92c-720b-7527-9cd5-76463f8b4abc",
  alias: "Leni",
  topic: "color",
  rank: 1,
  key: "color",
  "idempotency-key": "order-4711",
  "if-match": '"3"',
};

/**
 * Writes the defaults of request fields into their descriptions. Type generators treat a field with the keyword `default` as always
 * present, also in what a client sends (openapi-typescript: `defaultNonNullable`).
 */
function withoutDefaults<T>(schema: T): T {
  return isRecord(schema) && isRecord(schema.properties)
    ? { ...schema, properties: mapValues(schema.properties, withoutDefault) }
    : schema;
}

function withoutDefault<T>(property: T): T {
  if (!isRecord(property) || property.default === undefined) return property;
  const said = `${JSON.stringify(property.default)} when absent`;
  return {
    ...property,
    default: undefined,
    description: property.description === undefined ? said : `${property.description}. ${said}`,
  };
}

function withExamples<T>(operation: T): T {
  if (!isRecord(operation) || !Array.isArray(operation.parameters)) return operation;
  return { ...operation, parameters: operation.parameters.map(withExample) };
}

function withExample<T>(parameter: T): T {
  const example = isRecord(parameter) ? PARAMETER_EXAMPLES[String(parameter.name)] : undefined;
  return example === undefined ? parameter : { ...parameter, example };
}

/** The same object with each value changed to another of its type. */
function mapValues<T extends object>(object: T, change: <V>(value: V) => V): T {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)])) as T;
}

type Operation = { operationId?: string; summary?: string; description?: string };

/** The list of routes as a page, without scripts or external resources. */
export function referencePage(document: ReturnType<typeof openApiDocument>) {
  const rows = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(
      ([method, operation]) =>
        html`<tr><td><code>${method.toUpperCase()}</code></td><td><code>${path}</code></td><td><code>${operation.operationId ?? ""}</code></td><td>${operation.summary ?? ""}. ${operation.description ?? ""}</td></tr>`,
    ),
  );
  const schemas = Object.entries(document.components?.schemas ?? {}).map(
    ([name, schema]) =>
      html`<details><summary><code>${name}</code></summary><pre>${JSON.stringify(schema, null, 2)}</pre></details>`,
  );
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Edgewise API</title>
<style>${raw(STYLE)}</style></head>
<body><h1>Edgewise API</h1><p>${INFO.description} The same, for programs: <a href="/openapi.json">openapi.json</a>.</p>
<table><thead><tr><th>Method</th><th>Path</th><th>Operation</th><th>What it does</th></tr></thead><tbody>${rows}</tbody></table>
<h2>Schemas</h2>${schemas}</body></html>`;
}

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color: #1c1c1e; background: #fff }
table { border-collapse: collapse; width: 100% } td, th { text-align: left; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid #e4e4e7; vertical-align: top }
pre { background: #f6f6f7; padding: .75rem; overflow-x: auto; font-size: 13px } summary { cursor: pointer; padding: .2rem 0 }
@media (prefers-color-scheme: dark) { body { color: #e8e8ea; background: #17171a } td, th { border-color: #333338 } pre { background: #222226 } a { color: #8ab4f8 } }`;
