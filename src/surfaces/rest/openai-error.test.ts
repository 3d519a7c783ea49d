import { expect, it } from "vitest";
import { toOpenAiError } from "./problem.ts";

const of = (status: number, fields: { path: string; message: string }[] = []) =>
  toOpenAiError({ status, code: "code", detail: "Detail.", fields });

it("has the type by which OpenAI's clients tell errors apart", () => {
  expect([400, 401, 403, 404, 413, 422, 429, 500, 502].map((status) => of(status).type)).toEqual([
    "invalid_request_error",
    "authentication_error",
    "permission_error",
    "invalid_request_error",
    "invalid_request_error",
    "invalid_request_error",
    "rate_limit_error",
    "server_error",
    "server_error",
  ]);
});

it("names the fields in the message, the first as the parameter", () => {
  const fields = [
    { path: "model", message: "Too short." },
    { path: "user", message: "Detail." },
  ];
  expect(of(400, fields)).toEqual({
    message: "Detail. `model`: Too short.",
    type: "invalid_request_error",
    code: "code",
    param: "model",
  });
  expect(of(400)).toMatchObject({ message: "Detail.", param: null });
});
