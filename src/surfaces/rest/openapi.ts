import type { OpenAPIHono } from "@hono/zod-openapi";
import { html, raw } from "hono/html";
import type { RestEnv } from "./router.ts";
import { RECEIPT } from "./withhold-content.ts";

const INFO = {
  title: "Edgewise",
  version: "1",
  description:
    "The memory of chat applications. Ids in paths and bodies (userId, sessionId, projectId) are the app's own; ids in answers " +
    "that begin with epi_, ses_ or job_ are Edgewise's. A server key names `userId` in every call about a user; a personal key, made for one user, names nobody. " +
    "A key without the permission read gets no stored content back: a receipt instead of the answer that is described here. Every POST that changes something takes an Idempotency-Key, and every request x-edgewise-bookmark, the header of an earlier answer.",
};

/** OpenAPI 3.1, made of the schemas that validate. */
export function openApiDocument(app: OpenAPIHono<RestEnv>) {
  app.openAPIRegistry.registerComponent("securitySchemes", "key", { type: "http", scheme: "bearer", description: "An API key" });
  const document = app.getOpenAPI31Document({ openapi: "3.1.0", info: INFO, servers: [{ url: "/" }] });
  const schemas = { ...document.components?.schemas, Receipt: RECEIPT_SCHEMA };
  return { ...document, paths: withReceipts(document.paths ?? {}), components: { ...document.components, schemas } };
}

const RECEIPT_SCHEMA = {
  type: "object" as const,
  description:
    "What a key without the permission read gets of an answer, and what a repeat with the same Idempotency-Key gets: ids, versions and what became of the request",
  additionalProperties: true,
};

type Paths = NonNullable<ReturnType<OpenAPIHono<RestEnv>["getOpenAPI31Document"]>["paths"]>;

/** Every change may be answered with a receipt instead, under its own media type. */
function withReceipts(paths: Paths): Paths {
  return mapValues(paths, (item) =>
    mapValues(item, (operation, method) =>
      ["post", "put", "patch"].includes(method)
        ? { ...operation, responses: mapValues(operation.responses, (response, status) => withReceipt(response, status)) }
        : operation,
    ),
  );
}

type Response = { content?: Record<string, unknown> };

function withReceipt<R extends Response>(response: R, status: string): R {
  if (!status.startsWith("2") || response.content?.["application/json"] === undefined) return response;
  return { ...response, content: { ...response.content, [RECEIPT]: { schema: { $ref: "#/components/schemas/Receipt" } } } };
}

function mapValues<T extends object>(object: T, change: (value: NonNullable<T[keyof T]>, name: string) => unknown): T {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)])) as T;
}

type Operation = { summary?: string; tags?: string[] };

/** The routes at a glance, without a script or anything from elsewhere. */
export function referencePage(document: ReturnType<typeof openApiDocument>) {
  const rows = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(
      ([method, operation]) =>
        html`<tr><td><code>${method.toUpperCase()}</code></td><td><code>${path}</code></td><td>${operation.summary ?? ""}</td></tr>`,
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
<table><thead><tr><th>Method</th><th>Path</th><th>What it does</th></tr></thead><tbody>${rows}</tbody></table>
<h2>Schemas</h2>${schemas}</body></html>`;
}

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color: #1c1c1e; background: #fff }
table { border-collapse: collapse; width: 100% } td, th { text-align: left; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid #e4e4e7; vertical-align: top }
pre { background: #f6f6f7; padding: .75rem; overflow-x: auto; font-size: 13px } summary { cursor: pointer; padding: .2rem 0 }
@media (prefers-color-scheme: dark) { body { color: #e8e8ea; background: #17171a } td, th { border-color: #333338 } pre { background: #222226 } a { color: #8ab4f8 } }`;
