import { exports } from "cloudflare:workers";
import { Edgewise, EdgewiseError } from "@edgewise/client";
import { expect, it } from "vitest";
import { chatChannel } from "#test/chat-channel";
import { createHarness } from "#test/harness";

/** The client in workerd, calling the Worker. */
async function clientOfWorker() {
  const { key } = await createHarness();
  const fetch = async (url: RequestInfo | URL, init?: RequestInit) => await exports.default.fetch(new Request(url, init));
  return { edgewise: new Edgewise({ baseUrl: "https://edgewise.test", token: async () => key, fetch }) };
}

it("stores, finds, lists and changes in workerd", async () => {
  const { edgewise } = await clientOfWorker();
  const added = await edgewise.memories.add({ userId: "alice", content: "Alice is allergic to peanuts." });
  const { hits } = await edgewise.search({ userId: "alice", query: "allergic to peanuts" });
  expect(hits[0]?.memory?.id).toBe(added.id);
  expect(edgewise.bookmark).toMatch(/^[0-9a-f-]+$/);

  const one = { memoryId: added.id, userId: "alice" };
  const { data, response } = await edgewise.memories.get(one).withResponse();
  expect(response.headers.get("etag")).toBe(`"${data.version}"`);
  await edgewise.memories.update({ ...one, content: "Alice is allergic to cashews." }, { ifMatch: data.version });
  await expect(edgewise.memories.update({ ...one, pinned: true }, { ifMatch: data.version })).rejects.toMatchObject({
    name: "EdgewiseError",
    code: "precondition_failed",
  });

  const memories = ["I like tea.", "I like chess."].map((content) => ({ content }));
  const { items } = await edgewise.memories.add({ userId: "alice", memories });
  const listed: string[] = [];
  for await (const { id } of edgewise.memories.list({ userId: "alice", limit: 1 })) listed.push(id);
  expect(listed.toSorted()).toEqual([added.id, ...items.map(({ id }) => id)].toSorted());
});

it("gets a receipt for a write that was carried out before", async () => {
  const { edgewise } = await clientOfWorker();
  const add = () => edgewise.memories.add({ userId: "alice", content: "I like tea." }, { idempotencyKey: "note-17" });
  const [first, again] = [await add(), await add()];
  expect([again.id, again.version, again.content]).toEqual([first.id, first.version, undefined]);
});

it("names the place of a request in whichever part the operation wants it", async () => {
  const { edgewise } = await clientOfWorker();
  const memory = await edgewise.memories.add({ userId: "alice", content: "I like tea.", workspaceId: "w" });
  const one = { memoryId: memory.id, userId: "alice" };
  await expect(edgewise.memories.update({ ...one, pinned: true })).rejects.toBeInstanceOf(EdgewiseError);
  await edgewise.memories.update({ ...one, pinned: true }, { query: { workspaceId: "w" } });
  await edgewise.memories.delete({ ...one, workspaceId: "w" });
  await edgewise.memories.restore({ ...one, workspaceId: "w" });
  expect((await edgewise.memories.get({ ...one, workspaceId: "w" })).pinned).toBe(true);
});

it("reads an export line by line", async () => {
  const { edgewise } = await clientOfWorker();
  await edgewise.memories.add({ userId: "alice", content: "I like tea." });
  const kinds: unknown[] = [];
  for await (const line of edgewise.audit.export()) kinds.push(JSON.parse(line).kind);
  expect(kinds.at(-1)).toBe("end");
  expect(kinds.length).toBeGreaterThan(1);
});

it("streams with the fetch of workerd, and repeats what a server refuses", async () => {
  const channel = chatChannel();
  const edgewise = new Edgewise({ baseUrl: channel.url.replace(/\/v1$/, ""), token: "ew_1" });
  await channel.misbehave({ status: 503, retryAfter: "0" });
  await channel.answer("I do not know.", "Your cat is called Miso.");
  const chat = { userId: "José", model: "m", messages: [{ role: "user", content: "What is my cat called?" }] };
  expect((await edgewise.chat.complete(chat)).choices[0]?.message.content).toBe("I do not know.");
  let text = "";
  for await (const { choices } of edgewise.chat.complete({ ...chat, stream: true })) text += choices[0]?.delta.content ?? "";
  expect(text).toBe("Your cat is called Miso.");
  const requests = await channel.requests();
  expect(requests.map(({ headers }) => headers["x-edgewise-user"])).toEqual(["Jos%C3%A9", "Jos%C3%A9", "Jos%C3%A9"]);
  expect(await edgewise.isAvailable()).toBe(false);
});
