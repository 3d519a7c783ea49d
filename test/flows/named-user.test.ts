import { beforeEach, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { append, type Problem, rows } from "./requests.ts";

let h: Harness;
beforeEach(async () => {
  h = await createHarness({ replace: () => ({ log: () => undefined }) });
});

const made = async (path: string, body: object) =>
  (await h.fetch<{ id: string }>("POST", path, { body: { userId: "ann", ...body } })).json.id;
const entity = async () => {
  await h.fetch("PUT", "/v1/projects/garden", { body: { userId: "ann" } });
  return `/v1/entities/${await made("/v1/entities", { projectId: "garden", type: "place", name: `Pond ${crypto.randomUUID()}` })}`;
};
const memory = async () => `/v1/memories/${await made("/v1/memories", { content: `likes tea ${crypto.randomUUID()}` })}`;
const person = async () => `/v1/people/${await made("/v1/people", { name: "Max", aliases: ["Maxl"] })}`;
const episode = async () => {
  const { json } = await append(h, "chat", { userId: "ann", messages: [{ role: "user", content: "hello" }] });
  return `/v1/sessions/chat/episodes/${json.id}`;
};
const member = async () => {
  await h.fetch("PUT", "/v1/projects/garden", { body: { userId: "ann" } });
  await h.fetch("PUT", "/v1/projects/garden/members/bob?userId=ann");
  return "/v1/projects/garden/members/bob";
};
const fact = async () => {
  await h.fetch("POST", "/v1/facts", { body: { userId: "ann", topic: "color", value: "teal" } });
  return "/v1/facts?topic=color";
};

const ROUTES: [name: string, method: "PATCH" | "DELETE", path: () => Promise<string>, body: object][] = [
  ["an entity", "PATCH", entity, { notes: "deep" }],
  ["a memory", "PATCH", memory, { pinned: true }],
  ["a person", "PATCH", person, { name: "Moritz" }],
  ["an entity", "DELETE", entity, {}],
  ["a memory", "DELETE", memory, {}],
  ["an episode", "DELETE", episode, {}],
  ["an alias", "DELETE", async () => `${await person()}/aliases/Maxl`, {}],
  ["a member", "DELETE", member, {}],
  ["facts", "DELETE", fact, {}],
];

const inQuery = (path: string, user: string) => `${path}${path.includes("?") ? "&" : "?"}userId=${user}`;

describe.each(ROUTES)("%s: %s takes `userId`", (_, method, path, body) => {
  const send = (address: string, request: object) => h.fetch<Problem>(method, address, { user: null, ...request });

  it("in the body, in the query, or in both", async () => {
    const asked = method === "PATCH" ? { body } : {};
    expect((await send(inQuery(await path(), "ann"), asked)).status).toBeLessThan(300);
    expect((await send(await path(), { body: { ...body, userId: "ann" } })).status).toBeLessThan(300);
    expect((await send(inQuery(await path(), "ann"), { body: { ...body, userId: "ann" } })).status).toBeLessThan(300);
  });

  it("twice and different is an error, and nothing changes", async () => {
    const address = inQuery(await path(), "ann");
    const before = await rows("select count(*) as n from audit where tenant_id = ?", h.tenantId);
    const { status, json } = await send(address, { body: { ...body, userId: "bob" } });
    expect([status, json.code, json.detail, json.fields?.map((field) => field.path)]).toEqual([
      422,
      "unprocessable",
      "The query and the body name two users. Name the user once.",
      ["userId"],
    ]);
    expect(await rows("select count(*) as n from audit where tenant_id = ?", h.tenantId)).toEqual(before);
  });

  it("of nobody is 400 with a server key; a key bound to one user needs none, and may name no other in either place", async () => {
    const bound = (await h.fetch<{ key: string }>("POST", "/v1/keys", { body: { name: "anns", userId: "ann" } })).json.key;
    const asked = method === "PATCH" ? { body } : {};
    const address = await path();
    expect((await send(address, asked)).status).toBe(400);
    expect((await send(inQuery(address, "bob"), { ...asked, key: bound })).status).toBe(403);
    expect((await send(address, { body: { ...body, userId: "bob" }, key: bound })).status).toBe(403);
    expect((await send(inQuery(address, "ann"), { body: { ...body, userId: "bob" }, key: bound })).status).toBe(403);
    expect((await send(address, { ...asked, key: bound })).status).toBeLessThan(300);
  });
});

it.each(["application/json", "text/plain"])(
  "a DELETE with an empty body works, whatever it says that it is: %s",
  async (type) => {
    const address = inQuery(await memory(), "ann");
    const empty = { body: "", headers: { "content-type": type } };
    expect((await h.fetch("DELETE", address, { user: null, ...empty })).status).toBe(200);
    const without = inQuery(await memory(), "ann");
    expect((await h.fetch("DELETE", without, { user: null, headers: { "content-type": type } })).status).toBe(200);
  },
);
