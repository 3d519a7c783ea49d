import { beforeAll, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
// biome-ignore lint/style/noRestrictedImports: it is no module of ours, but the page that newcomers read.
import readme from "../../README.md?raw";

/** The README's own calls, as a newcomer sends them for Alice, and what a second user of the same app is shown of hers afterwards. */
type Call = { method: string; path: string; headers: Record<string, string>; body: unknown };

/** `ew` lines, as the README's shell function sends them; `$U` is the address with /v1. */
function callsIn(text: string): Call[] {
  return text.split("\n").flatMap((line): Call[] => {
    const asked = /^(?:sleep \d+; |BOB=\$\()?ew (.*?)(?:\s+#.*)?$/.exec(line)?.[1];
    const url = asked === undefined ? null : /\$U(\/[^\s"']*)/.exec(asked);
    if (asked === undefined || url === null) return [];
    const data = / -d '(.*)'/.exec(asked)?.[1];
    const headers = [...asked.matchAll(/-H "([^:"]+): ([^"]*)"/g)].map(([, name = "", value = ""]): [string, string] => [
      name,
      value,
    ]);
    return [
      {
        method: /-X ([A-Z]+)/.exec(asked)?.[1] ?? "GET",
        path: `/v1${url[1]}`,
        headers: Object.fromEntries(headers),
        body: data === undefined ? undefined : JSON.parse(data.replaceAll(/'"\$BOB"'|"'\$BOB'"/g, '"$BOB"')),
      },
    ];
  });
}

/** Words of Alice's own, which nobody else was there for. */
const HERS = /Miso|Lisbon|tomatoes|south wall|dark mode|Blue|Green|Black|window seats|Vienna/i;

let h: Harness;
let calls: Call[];
let bob: string;
beforeAll(async () => {
  h = await createHarness();
  calls = callsIn(readme);
  await h.fetch("PUT", "/v1/users/bob", { body: {} });
  bob = (await h.fetch<{ id: string }>("GET", "/v1/people/me?userId=bob")).json.id;
  for (const { method, path, headers, body } of calls) {
    const text = body === undefined ? undefined : JSON.parse(JSON.stringify(body).replaceAll("$BOB", bob));
    const { status } = await h.fetch(method, path, { ...(text === undefined ? {} : { body: text }), headers });
    expect(status, `${method} ${path}`).toBeLessThan(path.includes("chat/completions") ? 503 : 500);
  }
  await h.settle();
});

it("are read from the README", () => {
  expect(calls.length).toBeGreaterThan(25);
  expect(calls.filter(({ path, method }) => method === "POST" && path === "/v1/memories").length).toBeGreaterThan(3);
});

it("show Alice what is hers", async () => {
  const { text } = await h.fetch("GET", "/v1/memories?userId=alice&limit=100");
  expect(text).toMatch(/dark mode/);
  expect(text).toMatch(/window seats/);
});

it.each(["bob", "carol"])("show nothing of Alice's to %s, in private, in a group with her, and by id", async (userId) => {
  const alice = (await h.fetch<{ id: string }>("GET", "/v1/people/me?userId=alice")).json.id;
  await h.fetch("PUT", "/v1/sessions/with-alice", { body: { userId: "alice", participants: ["alice", "bob", "carol"] } });
  const { items } = (await h.fetch<{ items: { id: string; content: string }[] }>("GET", "/v1/memories?userId=alice&limit=100"))
    .json;
  const hers = items.filter(({ content }) => HERS.test(content));
  expect(hers.length).toBeGreaterThan(1);
  const question = "Tell me about alice: her cat, her tomatoes, dark mode, favorite colors, night trains";
  for (const sessionId of [undefined, "with-alice"]) {
    const place = sessionId === undefined ? {} : { sessionId };
    const query = `userId=${userId}${sessionId === undefined ? "" : `&sessionId=${sessionId}`}`;
    const answers = [
      await h.fetch("POST", "/v1/context", { body: { userId, query: "What is known of alice?", ...place } }),
      await h.fetch("POST", "/v1/search", { body: { userId, query: "alice", ...place } }),
      await h.fetch("POST", "/v1/search", { body: { userId, query: question, about: [alice], ...place } }),
      await h.fetch("GET", `/v1/memories?${query}&limit=100`),
      await h.fetch("GET", `/v1/people/${alice}/memories?${query}&limit=100`),
      await h.fetch("GET", `/v1/facts?${query}`),
      ...(await Promise.all(hers.map(({ id }) => h.fetch("GET", `/v1/memories/${id}?${query}`)))),
      ...(await Promise.all(hers.map(({ id }) => h.fetch("GET", `/v1/memories/${id}/history?${query}`)))),
      await h.fetch("GET", `/v1/sessions/chat-1/episodes?userId=${userId}`),
      await h.fetch("GET", `/v1/sessions/chat-4/episodes?userId=${userId}`),
    ];
    for (const { text } of answers) expect(text).not.toMatch(HERS);
  }
});
