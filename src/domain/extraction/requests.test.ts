import { expect, it } from "vitest";
import { requestsIn } from "./requests.ts";

const asked = (text: string) => requestsIn({ id: 1, by: 1 }, [{ messages: [{ message: { text } }] }]);

it("a wish that only looks like a request to forget asks for nothing", () => {
  expect(asked("I should like to be addressed as Mrs Ashdown, not by my Christian name.")).toBeNull();
});

it("a request to forget is one", () => {
  expect(asked("Forget what I told you about my brother")).toMatchObject({ id: 1 });
});
