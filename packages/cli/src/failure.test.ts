import { EdgewiseError } from "@edgewise/client";
import { expect, it } from "vitest";
import { ExitCode } from "./exit-code.ts";
import { describeFailure } from "./failure.ts";

const SERVICE = "http://127.0.0.1:8787";

/** As the client makes it of a body, whose types nobody has checked. */
const errorOf = (body: object) =>
  new EdgewiseError({
    status: 400,
    code: "x",
    detail: "It is wrong.",
    requestId: null,
    fields: [],
    retryAfterMs: null,
    ...body,
  });

it.each([
  [{ fields: { a: 1 } }],
  [{ fields: null }],
  [{ fields: [null, 1, {}, { path: 1, message: "m" }, { path: "p", message: 1 }] }],
  [{ fields: "abc" }],
])("shows a foreign error without the fields %j", (body) => {
  expect(describeFailure(errorOf(body), SERVICE)).toEqual({
    exitCode: ExitCode.usage,
    message: "It is wrong.",
    details: ["400 x", "It is wrong."],
  });
});

it.each([[{ detail: { a: 1 } }], [{ detail: null }], [{ detail: 5, code: 5 }]])("says what to check for %j", (body) => {
  const { message, details } = describeFailure(errorOf(body), SERVICE);
  expect(message).toBe("The answer is not one of Edgewise: status 400. Check the address.");
  expect(details[0]).toMatch(/^400 (x|unexpected_answer)$/);
});

it("keeps the fields that are as the service describes them", () => {
  const fields = [null, { path: "content", message: "too long" }];
  expect(describeFailure(errorOf({ fields }), SERVICE).message).toBe("It is wrong.\n  content: too long");
});
