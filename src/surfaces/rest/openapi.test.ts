import { describe, expect, it } from "vitest";
import { app } from "./app.ts";
import { openApiDocument, referencePage } from "./openapi.ts";

type Json = { [key: string]: Json } | Json[] | string | number | boolean | null;
type Operation = {
  summary?: string;
  security?: unknown[];
  parameters?: { name: string; in: string; required?: boolean; schema?: unknown }[];
  responses: Record<string, { description: string; content?: Record<string, unknown> }>;
};

const document = JSON.parse(JSON.stringify(openApiDocument(app)));
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

describe("openapi.json", () => {
  it("is OpenAPI 3.1 with the routes of the service", () => {
    expect(document).toMatchObject({ openapi: "3.1.0", info: { title: "Edgewise", version: "1" } });
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
      for (const response of Object.values(operation.responses)) expect(response.description).toMatch(/\S/);
      const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === "path");
      expect(declared.map((parameter) => parameter.name).sort()).toEqual(named.sort());
      expect(declared.every((parameter) => parameter.required === true)).toBe(true);
      if (name === "GET /v1/health") return;
      expect(operation.security).toEqual([{ key: [] }]);
      expect(operation.summary).toMatch(/\(permission: (read|write|admin)\)$/);
      for (const status of ["400", "401", "403", "404", "405", "409", "413", "422", "429"]) {
        expect(Object.keys(operation.responses[status]?.content ?? {})).toEqual(["application/problem+json"]);
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
    expect(document.components.schemas.ContextInput.oneOf).toHaveLength(2);
    expect(document.components.schemas.AuditErasure.oneOf).toHaveLength(3);
  });

  it("names each schema once, and declares the key that operations ask for", () => {
    expect(document.components.securitySchemes.key).toMatchObject({ type: "http", scheme: "bearer" });
    for (const name of ["Problem", "Hit", "Session", "Project", "Episode", "Job"])
      expect(Object.keys(document.components.schemas)).toContain(name);
  });
});

it("the reference page shows every route and runs nothing", () => {
  const page = String(referencePage(openApiDocument(app)));
  for (const { path } of operations) expect(page).toContain(path);
  expect(page).not.toMatch(/<script/i);
});
