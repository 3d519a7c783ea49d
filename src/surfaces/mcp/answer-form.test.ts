import { expect, it } from "vitest";
import { formOf, inForm } from "./answer-form.ts";

it.each([
  [null, "json"],
  ["", "json"],
  ["*/*", "json"],
  ["text/html", "json"],
  ["application/json", "json"],
  ["application/*", "json"],
  ["text/event-stream", "events"],
  ["TEXT/EVENT-STREAM;q=0.5", "events"],
  ["text/*;q=0.5, */*;q=0.1", "events"],
  ["application/json, text/event-stream", "either"],
  ["application/json;q=0.9,text/event-stream; charset=utf-8", "either"],
  ["application/json, text/event-stream;q=0", "json"],
  ["application/json;q=0.0, text/event-stream", "events"],
])("a client that accepts %j gets %s", (accept, form) => {
  expect(formOf(accept)).toBe(form);
});

const json = (body: unknown, status = 200) => Response.json(body, { status });
const events = (...messages: unknown[]) =>
  new Response(`: keep-alive\n\n${messages.map((message) => `event: message\ndata: ${JSON.stringify(message)}\n\n`).join("")}`, {
    headers: { "content-type": "text/event-stream", "x-a": "b" },
  });

it("an answer is put into the other form, with its headers", async () => {
  const answer = await inForm(events({ method: "progress" }, { id: 1 }), "json");
  expect([answer.headers.get("content-type"), answer.headers.get("x-a"), await answer.json()]).toEqual([
    "application/json",
    "b",
    { id: 1 },
  ]);
  const stream = await inForm(json({ id: 1 }), "events");
  expect([stream.headers.get("content-type"), await stream.text()]).toEqual([
    "text/event-stream",
    'event: message\ndata: {"id":1}\n\n',
  ]);
});

it("an answer that has the form, no body or an error's status stays as it is", async () => {
  for (const [answer, form] of [
    [json({}), "json"],
    [json({}), "either"],
    [events({}), "events"],
    [new Response(null, { status: 202 }), "events"],
    [json({}, 400), "events"],
  ] as const)
    expect(await inForm(answer, form)).toBe(answer);
});
