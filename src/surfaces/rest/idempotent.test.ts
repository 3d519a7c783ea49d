import { expect, it } from "vitest";
import { toReceipt } from "./idempotent.ts";

it("keeps ids, versions and what became of the request, and nothing that was stored", () => {
  const person = { id: "per_1", version: 3, name: "Rose", aliases: ["Rosie"], notes: "likes tea", userId: null };
  expect(toReceipt(person)).toEqual({ id: "per_1", version: 3 });
  expect(toReceipt({ id: "mrg_1", from: person, into: person, mergedAt: "2026-01-01T00:00:00Z" })).toEqual({
    id: "mrg_1",
    from: { id: "per_1", version: 3 },
    into: { id: "per_1", version: 3 },
  });
  expect(toReceipt({ items: [{ topic: "tea", written: false, value: "green" }] })).toEqual({ items: [{ written: false }] });
  const problem = { code: "not_found", detail: "There is no such memory, or you may not see it." };
  const reviewed = { id: "mem_1", outcome: "refused", problem };
  expect(toReceipt({ items: [reviewed] })).toEqual({ items: [reviewed] });
  const appended = {
    id: "epi_1",
    created: true,
    redacted: ["password"],
    skippedMessageIds: ["m1"],
    messages: [{ messageId: "m2" }],
  };
  expect(toReceipt(appended)).toEqual({ id: "epi_1", created: true, redacted: ["password"], skippedMessageIds: ["m1"] });
});

it("leaves out what it does not know, and what hides in a field that it knows", () => {
  expect(toReceipt({ id: { content: "x" }, version: ["x"], content: "x", later: { id: "mem_1" } })).toEqual({});
  expect(toReceipt({ from: "Rose", items: "Rose", entity: null })).toEqual({ from: null, items: null, entity: null });
});
