import { expect, it } from "vitest";
import { app } from "#surfaces/rest/app";
import { openApiDocument } from "#surfaces/rest/openapi";
import { parseOperation } from "../packages/client/src/operation.ts";
import { type ApiDocument, apiSource, clientDocument, operationsSource } from "./client-source.ts";

const document = clientDocument(openApiDocument(app, "http://127.0.0.1:8787"));

/** A document of one operation. */
function documentOf(operation: Partial<ApiDocument["paths"][string][string]>, path = "/v1/things/{id}"): ApiDocument {
  const whole = { operationId: "things.change", summary: "Change", description: "Changes.", responses: {}, ...operation };
  return { paths: { [path]: { post: whole } }, components: { schemas: {} } };
}

it("writes a line for every operation, from which the client reads its method, path and mark", () => {
  const lines = operationsSource(document).split("\n");
  let group = "";
  const found = lines.flatMap((line) => {
    group = /^ {2}(\w+): \{$/.exec(line)?.[1] ?? group;
    const [, indent = "", name = "", text = ""] = /^( +)(\w+): "(.*)",$/.exec(line) ?? [];
    if (text === "") return [];
    const { method, path, mark } = parseOperation(indent === "  " ? name : group, text);
    return [`${method} /v1/${path.replaceAll(/:(\w+)/g, "{$1}")} ${mark}`];
  });
  const declared = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { parameters = [], requestBody, security }]) => {
      const names = parameters.map((each) => each.name);
      const mark = names.includes("idempotency-key") ? "!" : names.includes("x-edgewise-user") ? "~" : "";
      const isFile = requestBody?.content["*/*"] !== undefined;
      return `${method.toUpperCase()} ${path} ${security?.length === 0 ? "-" : isFile ? "^" : mark}`;
    }),
  );
  expect(found.toSorted()).toEqual(declared.toSorted());
});

it("writes the fields that go into the query although there is a body", () => {
  const parameters = ["id", "userId", "sessionId"].map((name) => ({ name, in: name === "id" ? "path" : "query" }));
  const body = { properties: { userId: {}, content: {} } };
  const change = documentOf({ parameters, requestBody: { content: { "application/json": { schema: body } } } });
  expect(operationsSource(change)).toContain('change: "POST/:id?sessionId"');
  expect(operationsSource(documentOf({ parameters }))).toContain('change: "POST/:id?userId,sessionId"');
});

it("refuses a field that the path has too, because the input could say it only once", () => {
  const parameters = [{ name: "id", in: "path" }];
  const requestBody = { content: { "application/json": { schema: { properties: { id: {} } } } } };
  expect(() => operationsSource(documentOf({ parameters, requestBody }))).toThrow("things.change has the field id twice.");
});

it("describes each method, and has names of one word for four", () => {
  const source = apiSource(document);
  expect(source).toContain('  search: Method<"search.query">;');
  expect(source).toMatch(/\/\*\* Add memories\..* `POST \/v1\/memories` \*\/\n {4}add: Method<"memories.add">;/);
  expect(apiSource(documentOf({ summary: "Ends */ here" }))).toContain("Ends * / here");
});

it("leaves out of the types what the client does not show", () => {
  expect(JSON.stringify(document)).not.toMatch(/"400"|"x-request-id"/);
});
