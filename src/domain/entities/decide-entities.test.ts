import { expect, it } from "vitest";
import { mergeSafely } from "./decide-entities.ts";

it("two notes that hold a secret together are not put together", () => {
  expect(mergeSafely("the password:", "hunter2")).toBe("the password:");
  expect(mergeSafely("the paint:", "green")).toBe("the paint:\ngreen");
});
