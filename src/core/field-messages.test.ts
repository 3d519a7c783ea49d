import { expect, it } from "vitest";
import { z } from "zod";
import { describeIssue, unknownFieldMessages } from "./field-messages.ts";
import { Cursor, Moment, wholeNumber } from "./fields.ts";

const Schema = z.strictObject({
  userId: z.string().optional(),
  limit: wholeNumber({ min: 1, max: 100 }).default(20),
  cursor: Cursor.optional(),
  from: Moment.optional(),
  explain: z.boolean().optional(),
  kinds: z
    .array(z.enum(["episode", "memory"]))
    .min(1)
    .max(2)
    .optional(),
  messages: z.array(z.strictObject({ role: z.enum(["user", "assistant"]), content: z.string().min(1).max(5) })).optional(),
});

const messagesOf = (input: unknown) => {
  const { error } = Schema.safeParse(input, { error: describeIssue });
  return (error?.issues ?? []).flatMap((issue) =>
    issue.code === "unrecognized_keys" ? unknownFieldMessages(issue).map(({ message }) => message) : issue.message,
  );
};

it.each([
  [{ user_id: "ann" }, "There is no field `user_id`. Did you mean `userId`?"],
  [{ page_size: 5 }, "There is no field `page_size`. Did you mean `limit`?"],
  [{ topK: 5 }, "There is no field `topK`. Did you mean `limit`?"],
  [{ messages: [{ role: "user", content: "a", txt: 1 }] }, "There is no field `txt`. Leave it out; there are `role`, `content`."],
  [{ role: "user" }, "There is no field `role`. Did you mean `messages[0].role`?"],
  [
    { " a b ": 1 },
    "There is a field here that is not known. Leave it out; there are `userId`, `limit`, `cursor`, `from`, `explain`, `kinds`, `messages`.",
  ],
  [{ limit: "many" }, "A whole number in decimal digits."],
  [{ limit: 500 }, "Send a number of at most 100."],
  [{ from: "yesterday" }, 'Send a time as ISO 8601 with a time zone, such as "2026-11-22T10:00:00Z".'],
  [{ explain: "yes" }, "Send true or false."],
  [{ kinds: [] }, "Send at least 1 item."],
  [{ kinds: ["memorys"] }, "Send one of `episode`, `memory`; `memory` is the nearest."],
  [{ messages: [{ role: "user" }] }, "It is missing. Send a string."],
  [{ messages: [{ role: "user", content: "" }] }, "Send at least 1 character."],
  [{ messages: [{ role: "user", content: "longer" }] }, "Send at most 5 characters."],
  [{ messages: [{ role: "user", content: 5 }] }, "Send a string."],
  [[], "Send a JSON object, which may have `userId`, `limit`, `cursor`, `from`, `explain`, `kinds`, `messages`."],
  [{ messages: ["hello"] }, 'Send a JSON object such as {"role":…,"content":…}.'],
])("says of %j what to do", (input, message) => {
  expect(messagesOf(input)).toEqual([message]);
});

it("says where no fields are taken", () => {
  const { error } = z.strictObject({}).safeParse({ a: 1 }, { error: describeIssue });
  expect(error?.issues[0]?.message).toBe("There is no field `a`. Leave it out: this part of the request takes no fields.");
});

it("says it of each unknown field by itself", () => {
  expect(messagesOf({ userid: "ann", q: 1, messages: [{ role: "user", content: "a", text: "b" }] })).toEqual([
    "There is no field `text`. Did you mean `content`?",
    "There is no field `userid`. Did you mean `userId`?",
    expect.stringMatching(/^There is no field `q`\. Leave it out; there are /),
  ]);
});

it("names the first 50 of many unknown fields, and looks at no others", () => {
  const input = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`unknown_field_${i}`, 1]));
  expect(messagesOf(input)).toHaveLength(50);
});
