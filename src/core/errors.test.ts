import { expect, it } from "vitest";
import { breaksRule } from "./errors.ts";

it.each([
  ["It is empty. Send the bytes.", "`files[1].path` is empty. Send the bytes."],
  ["Secrets are never stored.", "Secrets are never stored."],
])("names the field that breaks a rule in a sentence that does not say what it is: %s", (message, detail) => {
  const error = breaksRule("files[1].path", message);
  expect([error.message, error.fields]).toEqual([detail, [{ path: "files[1].path", message }]]);
});
