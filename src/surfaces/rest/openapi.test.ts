import { z } from "@hono/zod-openapi";
import { describe, expect, it } from "vitest";
import { app } from "./app.ts";
import { RECEIPT } from "./idempotent.ts";
import { openApiDocument } from "./openapi.ts";

type Json = { [key: string]: Json } | Json[] | string | number | boolean | null;
type Parameter = { name: string; in: string; required?: boolean; schema?: unknown; example?: unknown };
type Response = { $ref?: string; description: string; headers?: Record<string, unknown>; content?: Record<string, unknown> };
type Operation = {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, unknown> };
  responses: Record<string, Response>;
};

const document = JSON.parse(JSON.stringify(openApiDocument(app, "https://memory.example.com")));
const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, path, operation })),
);

function refsIn(json: Json): string[] {
  if (json === null || typeof json !== "object") return [];
  return Object.entries(json).flatMap(([key, value]) => (key === "$ref" && typeof value === "string" ? [value] : refsIn(value)));
}

/** The texts under this name, wherever they are. */
function valuesOf(json: Json, name: string): string[] {
  if (json === null || typeof json !== "object") return [];
  return Object.entries(json).flatMap(([key, value]) =>
    key === name && typeof value === "string" ? [value] : valuesOf(value, name),
  );
}

function resolved(ref: string): unknown {
  const parts = ref.replace(/^#\//, "").split("/");
  return parts.reduce<unknown>(
    (at, part) => (typeof at === "object" && at !== null ? Object.entries(at).find(([key]) => key === part)?.[1] : undefined),
    document,
  );
}

function responseOf({ responses }: Operation, status: string): Response {
  const response = responses[status];
  return response?.$ref === undefined ? (response as Response) : (resolved(response.$ref) as Response);
}

const [KEY, TOKEN] = [{ key: [] }, { token: [] }];
/** What needs no admin, and is for keys only. */
const FOR_KEYS = [
  "POST /v1/tokens",
  "POST /v1/tokens/revoke",
  "GET /v1/jobs",
  "GET /v1/jobs/{jobId}",
  "GET /v1/usage",
  "GET /v1/erasures/{erasureId}",
  "POST /v1/erasures/{erasureId}/verify",
  "GET /v1/responses/{responseId}",
  "DELETE /v1/responses/{responseId}",
  "POST /v1/responses/{responseId}/cancel",
  "GET /v1/responses/{responseId}/input_items",
];
const isForKeys = (name: string, { description }: Operation) =>
  FOR_KEYS.includes(name) || description?.endsWith("Permission: `admin`.") === true;

describe("openapi.json", () => {
  it("is OpenAPI 3.1 with the routes of the service", () => {
    expect(document).toMatchObject({ openapi: "3.1.0", info: { title: "Edgewise", version: "1" } });
    expect(document.servers).toMatchObject([{ url: "https://memory.example.com" }]);
    expect(openApiDocument(app, "http://localhost:8787").servers).toMatchObject([{ url: "http://127.0.0.1:8787" }]);
    expect(operations.length).toBeGreaterThan(20);
  });

  it("refers to nothing that is not in it", () => {
    const refs = [...new Set(refsIn(document))];
    expect(refs.length).toBeGreaterThan(10);
    expect(refs.filter((ref) => !ref.startsWith("#/components/") || resolved(ref) === undefined)).toEqual([]);
  });

  it.each(operations.map(({ name, path, operation }) => [name, path, operation] as const))(
    "%s is whole",
    (name, path, operation) => {
      expect(operation.summary).toMatch(/\S/);
      const statuses = Object.keys(operation.responses);
      expect(statuses.some((status) => status.startsWith("2"))).toBe(true);
      for (const status of statuses) expect(responseOf(operation, status).description).toMatch(/\S/);
      const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === "path");
      expect(declared.map((parameter) => parameter.name).sort()).toEqual(named.sort());
      expect(declared.every((parameter) => parameter.required === true)).toBe(true);
      expect(operation.security).toEqual(name === "GET /v1/health" ? [] : isForKeys(name, operation) ? [KEY] : [KEY, TOKEN]);
      if (name === "GET /v1/health") return;
      expect(operation.description).toMatch(/ Permission: `(read|write|admin)`\.$/);
      for (const status of ["400", "401", "403", "404", "405", "409", "413", "422", "429"]) {
        expect(Object.keys(responseOf(operation, status).content ?? {})).toEqual(["application/problem+json"]);
      }
    },
  );

  it("has patterns that any program reads: of a schema, not of a program", () => {
    const patterns = [...new Set(valuesOf(document, "pattern"))];
    expect(patterns.length).toBeGreaterThan(8);
    for (const pattern of patterns) {
      expect(pattern).not.toMatch(/^\/.*\/[a-z]*$/);
      expect(() => new RegExp(pattern, "u")).not.toThrow();
    }
  });

  it("says how long cursors and idempotency keys are, and what excludes each other", () => {
    const parameters = operations.flatMap(({ operation }) => operation.parameters ?? []);
    const schemaOf = (name: string) => parameters.filter((parameter) => parameter.name === name).map(({ schema }) => schema);
    expect(schemaOf("idempotency-key").length).toBeGreaterThan(15);
    for (const schema of schemaOf("idempotency-key")) expect(schema).toMatchObject({ minLength: 1, maxLength: 200 });
    expect(schemaOf("cursor").length).toBeGreaterThan(10);
    for (const schema of schemaOf("cursor")) {
      expect(schema).toMatchObject({ minLength: 1, maxLength: expect.any(Number), pattern: "^[A-Za-z0-9_-]*$" });
    }
    for (const schema of schemaOf("limit")) expect(schema).toMatchObject({ type: "integer", minimum: 1, maximum: 100 });
    const { ContextInput, AuditErasure } = document.components.schemas;
    for (const [schema, names] of [
      [ContextInput, ["query", "messages"]],
      [AuditErasure, ["objectId", "userId", "ids"]],
    ]) {
      const [one = "", other = ""] = names;
      expect([[], [one], [other], [names.at(-1)], [one, other], names].map((sent) => hasNames(schema, sent))).toEqual([
        ...[false, true, true, true],
        ...[false, false],
      ]);
    }
  });

  it("names each schema once, and declares the key that operations ask for", () => {
    expect(document.components.securitySchemes.key).toMatchObject({ type: "http", scheme: "bearer" });
    for (const name of ["Problem", "Hit", "Session", "Project", "Episode", "Job"])
      expect(Object.keys(document.components.schemas)).toContain(name);
  });
});

type NameRule = { not?: NameRule; anyOf?: NameRule[]; propertyNames?: { not: { enum: string[] } } };

/** Whether an object with these names fits what a schema says of names, with the keywords that `exactlyOneOf` uses. */
function hasNames({ not, anyOf, propertyNames }: NameRule, names: readonly string[]): boolean {
  if (not !== undefined && hasNames(not, names)) return false;
  if (anyOf !== undefined && !anyOf.some((rule) => hasNames(rule, names))) return false;
  return propertyNames === undefined || names.every((name) => !propertyNames.not.enum.includes(name));
}

describe("the operations", () => {
  it("have ids of one scheme, each once, and tags that are described", () => {
    const ids = operations.map(({ operation }) => operation.operationId ?? "");
    expect(ids.filter((id) => !/^[a-z]+\.[a-z]+(?:[A-Z][a-z]+)*$/.test(id))).toEqual([]);
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
    const described = new Set<string>(document.tags.map(({ name }: { name: string }) => name));
    expect(operations.flatMap(({ operation }) => operation.tags ?? []).filter((tag) => !described.has(tag))).toEqual([]);
    expect(new Set(operations.flatMap(({ operation }) => operation.tags ?? []))).toEqual(described);
  });

  const declared = app.openAPIRegistry.definitions.flatMap((each) => (each.type === "route" ? [each.route] : []));

  it.each(declared.map((route) => [`${route.method} ${route.path}`, route] as const))(
    "%s has examples that are valid",
    (_name, route) => {
      const contents = [
        route.request?.body?.content ?? {},
        ...Object.values(route.responses).map((response) => ("$ref" in response ? {} : (response.content ?? {}))),
      ].flatMap((content) => Object.entries(content).filter(([type]) => type !== RECEIPT));
      for (const [, media] of contents) expectValid(media);
    },
  );

  it("have examples of their path parameters, and of others where there is one, that are valid", () => {
    for (const { request, method, path } of declared) {
      const shapes = [request?.params, request?.query, request?.headers].flatMap((part) =>
        part instanceof z.ZodObject ? [part.shape] : [],
      );
      const shape: Record<string, z.ZodType> = Object.assign({}, ...shapes);
      const parameters: Parameter[] = document.paths[path][method].parameters ?? [];
      for (const parameter of parameters) {
        if (parameter.in === "path") expect(parameter, `${method} ${path}`).toHaveProperty("example");
        if (parameter.example !== undefined)
          expect(shape[parameter.name]?.safeParse(parameter.example).error, parameter.name).toBeUndefined();
      }
    }
  });

  it("say what their headers are", () => {
    for (const { operation } of operations) {
      for (const status of Object.keys(operation.responses)) {
        const { headers = {} } = responseOf(operation, status);
        expect(Object.keys(headers)).toContain("x-request-id");
      }
    }
    const headersOf = (name: string, status: string) =>
      Object.keys(responseOf(operations.find((each) => each.name === name)?.operation as Operation, status).headers ?? {});
    expect(headersOf("GET /v1/memories/{memoryId}", "200")).toContain("etag");
    expect(headersOf("POST /v1/memories", "201")).toContain("idempotency-replayed");
    expect(headersOf("POST /v1/chat/completions", "200")).toContain("x-edgewise-memory");
    expect(headersOf("GET /v1/memories", "429")).toContain("retry-after");
    expect(headersOf("GET /v1/memories", "405")).toContain("allow");
  });

  it("take booleans of a query as booleans, and leave fields with a default out of what is required", () => {
    const flags = operations
      .flatMap(({ operation }) => operation.parameters ?? [])
      .filter(({ name }) => ["stats", "others", "everywhere"].includes(name));
    expect(flags.length).toBeGreaterThan(3);
    for (const { schema } of flags) expect(schema).toMatchObject({ type: "boolean" });
    const { required, properties } = document.components.schemas.SearchInput;
    expect(required).toEqual(["query"]);
    expect(properties.limit).toEqual({ type: "integer", minimum: 1, maximum: 100, description: "10 when absent" });
  });
});

/** There is an example, the schema takes it, and it has no field that the schema does not know. */
function expectValid(media: object | undefined): void {
  if (media === undefined || !("schema" in media && "example" in media && media.schema instanceof z.ZodType))
    throw new Error("There is no schema, or no example.");
  const { error, data } = media.schema.safeParse(media.example);
  expect(error).toBeUndefined();
  expect({ data }).toMatchObject({ data: media.example });
}
