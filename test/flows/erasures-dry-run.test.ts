import { expect, it } from "vitest";
import type { ErasureView } from "#domain/erasures";
import { work } from "#domain/lifecycle";
import { makeSource, upload } from "#test/document-requests";
import { recordEntities } from "#test/entity-requests";
import { createHarness, type Harness } from "#test/harness";
import { makeRichTenant } from "#test/rich-tenant";
import { rows } from "./requests.ts";

/** What the rich tenant does not have: documents, talk of several in a group, summaries, forgotten words, what is waiting. */
async function fill(h: Harness): Promise<void> {
  const { ids } = await makeRichTenant(async (method, path, body) => await h.fetch(method, path, { body, user: null }));
  await h.settle();
  const ok = async <T = { id: string }>(method: string, path: string, body?: unknown) => {
    const { status, json, text } = await h.fetch<T>(method, path, { body, user: null });
    expect(status, `${method} ${path}: ${text}`).toBeLessThan(300);
    return json;
  };
  const talk = async (session: string, userId: string, messages: [string, string, string][]) =>
    await ok("POST", `/v1/sessions/${session}/episodes`, {
      userId,
      messages: messages.map(([role, speaker, content], i) => ({
        ...{ role, content, messageId: `${session}-${content.slice(0, 12)}-${i}` },
        ...(role === "user" ? { userId: speaker } : {}),
      })),
    });
  await talk("team", "bob", [
    ["user", "ann", "My sister Mia lives in Graz and breeds zebrafish"],
    ["user", "bob", "I repair sailing boats at the harbour of Lisbon"],
    ["assistant", "", "Both noted."],
  ]);
  await talk("team", "ann", [
    ["user", "ann", "I am allergic to walnuts"],
    ["assistant", "", "I will remember the walnuts."],
  ]);
  await ok("PUT", "/v1/sessions/alone", { userId: "ann", kind: "group", participants: ["ann"] });
  await talk("alone", "ann", [["user", "ann", "I talk to myself about lighthouses"]]);
  await h.settle();
  const me = await ok("GET", "/v1/people/me?userId=ann");
  await ok("POST", "/v1/memories", { userId: "bob", content: "Ann plays the harp", subjects: [me.id] });
  await ok("POST", "/v1/memories", { userId: "ann", sessionId: "team", content: "The pool is warm", statedBy: me.id });
  await ok("POST", "/v1/memories", { userId: "ann", content: "Bob is tall" });
  for (const content of ["The team meets in the red room", "The team meets in the green room"])
    await ok("PATCH", `/v1/memories/${ids.group}?userId=ann&sessionId=team`, { content });
  const [shared] = await rows<{ id: string }>(
    "select public_id as id from episodes where tenant_id = ? and messages like '%zebrafish%'",
    h.tenantId,
  );
  // Of nobody's words: it goes with those of whoever spoke in the episode.
  const learnedIn = { sessionId: "team", episodeId: shared?.id };
  await ok("POST", "/v1/memories", { userId: "bob", content: "Somebody keeps zebrafish", learnedIn });
  await ok("POST", "/v1/people", { userId: "ann", name: "Zoe" });
  await makeSource(h, "plans", { userId: "ann", projectId: "garden" });
  await makeSource(h, "handbook");
  for (const sourceId of ["plans", "handbook"]) {
    const named = sourceId === "plans" ? { userId: "ann" } : {};
    await upload(
      h,
      { sourceId, path: "a.md", ...named },
      "# Trains\n\nThe sleeper leaves at nine.\n\n# Ferries\n\nThe ferry is slow.\n",
    );
    await h.settle();
    await upload(h, { sourceId, path: "a.md", ...named }, "# Trains\n\nThe sleeper leaves at ten.\n");
    await h.settle();
    await upload(h, { sourceId, path: "broken.md", ...named }, "\u0000\u0001broken");
    await h.settle();
  }
  await ok("POST", "/v1/keys", { name: "ann's", userId: "ann", permissions: ["read", "write"] });
  const { token } = await ok<{ token: string }>("POST", "/v1/tokens", { userId: "ann" });
  await h.fetch("POST", "/v1/memories", {
    ...{ key: token, user: null, body: { content: "I own a kayak" } },
    headers: { "idempotency-key": "k" },
  });
  const [chat] = await rows<{ id: number }>(
    "select e.id from episodes e join sessions s on s.id = e.session_id where s.tenant_id = ? and s.external_id = 'roses'",
    h.tenantId,
  );
  const [mixed] = await rows<{ id: number }>(
    "select e.id from episodes e join sessions s on s.id = e.session_id where s.tenant_id = ? and s.external_id = 'team' and e.messages like '%zebrafish%'",
    h.tenantId,
  );
  await recordEntities(h, chat?.id ?? 0, [{ type: "plant", name: "Rose" }]);
  await recordEntities(h, mixed?.id ?? 0, [{ type: "animal", name: "Zebrafish" }]);
  for (const [userId, sessionId] of [
    ["ann", "chat"],
    ["ann", "team"],
    ["bob", "bobs"],
  ])
    await ok("POST", "/v1/summarize", { userId, sessionId, keepTokens: 0 });
  await h.settle();
  // What is still to be read when it is erased.
  await upload(h, { sourceId: "handbook", path: "late.md" }, "# Late\n\nNobody has read this.\n");
}

const COUNTED = ["table", "text index", "vectors", "files"];

/** What is counted of each store; segments of the text indexes are only known when something is deleted. */
const countsOf = ({ stores }: ErasureView, of: (store: ErasureView["stores"][number]) => number | null) =>
  Object.fromEntries(
    stores.flatMap((store) =>
      COUNTED.includes(store.kind) && store.method !== "merge" && store.before !== null ? [[store.store, of(store)]] : [],
    ),
  );

it.each([
  "/v1/users/ann",
  "/v1/users/ann?aboutOthers=erase",
  "/v1/users/bob",
  "/v1/sessions/chat?userId=ann",
  "/v1/sessions/roses?userId=ann",
  "/v1/sessions/team",
  "/v1/projects/garden?userId=ann",
  "/v1/sources/plans?userId=ann",
  "/v1/sources/handbook",
])("a dry run of %s counts what the erasure then erases, store by store", async (path) => {
  const h = await createHarness({ replace: () => ({ log: () => undefined }) });
  await fill(h);
  const query = path.includes("?") ? "&" : "?";
  const dryRun = await h.fetch<ErasureView>("DELETE", `${path}${query}dryRun=true`, { user: null });
  expect(dryRun.status, dryRun.text).toBe(200);
  const { status, json, text } = await h.fetch<ErasureView>("DELETE", path, { user: null });
  expect(status, text).toBe(202);
  const [job] = await rows<{ id: string }>("select id from jobs where tenant_id = ? and kind = 'erasures.run'", h.tenantId);
  await work(h.services(), [{ tenantId: h.tenantId, jobId: job?.id ?? "" }]);
  const erasure = (await h.fetch<ErasureView>("GET", `/v1/erasures/${json.id}`)).json;
  expect([erasure.status, erasure.progress.round]).toEqual(["finished", 0]);
  expect(countsOf(erasure, ({ deleted }) => deleted)).toEqual(countsOf(dryRun.json, ({ before }) => before));
});
