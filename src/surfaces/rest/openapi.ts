import type { OpenAPIHono } from "@hono/zod-openapi";
import { isRecord } from "#core/is-record";
import { introductionMarkdown } from "#surfaces/docs/introduction";
import { titleOf } from "#surfaces/docs/reference-page";
import { registerProblems } from "./problem-responses.ts";
import { registerHeaders } from "./response-headers.ts";
import type { RestEnv } from "./rest-env.ts";
import { TAGS } from "./tags.ts";

const INFO = {
  title: "Edgewise",
  version: "1",
  summary: "A memory API for chat apps.",
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
    info: { ...made.info, description: introductionMarkdown(url) },
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
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description, "x-displayName": titleOf(name) })),
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
  responseId: "resp_01a1f92c",
  sourceId: "handbook",
  importId: "imp_01a1f92c-720b-7527-9cd5-76463f8b4abc",
  erasureId: "ers_01a1f92c-720b-7527-9cd5-76463f8b4abc",
  fileId: "fil_01a1f92c-720b-7527-9cd5-76463f8b4abc",
  path: "travel/trains.md",
  model: "gpt-5-mini",
  alias: "Leni",
  topic: "color",
  rank: 1,
  key: "color",
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

/** Of optional parameters only the user has an example, because the reference sends every one that has: a session and a project would exclude each other. */
function withExample<T>(parameter: T): T {
  if (!isRecord(parameter)) return parameter;
  const { name, required } = parameter;
  const example = required === true || name === "userId" ? PARAMETER_EXAMPLES[String(name)] : undefined;
  return example === undefined ? parameter : { ...parameter, example };
}

/** The same object with each value changed to another of its type. */
function mapValues<T extends object>(object: T, change: <V>(value: V) => V): T {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)])) as T;
}
