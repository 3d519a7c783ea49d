import createClient from "openapi-fetch";
import type { components, paths } from "./schema.d.ts";

// Types are generated from /openapi.json into schema.d.ts before this is compiled and run (test/e2e/client.test.ts).
const [baseUrl = "", key = ""] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });

/** Fields with a default may be left out. */
const query: components["schemas"]["SearchInput"] = { userId: "alice", query: "What can Alice not eat?" };

const health = await client.GET("/v1/health");
const added = await client.POST("/v1/memories", {
  body: { userId: "alice", content: "Alice is allergic to peanuts.", type: "identity" },
});
const listed = await client.GET("/v1/memories", { params: { query: { userId: "alice", limit: 10, stats: true } } });
const found = await client.POST("/v1/search", { body: query });
const missing = await client.GET("/v1/memories/{memoryId}", {
  params: { path: { memoryId: "mem_none" }, query: { userId: "alice" } },
});
const appended = await client.POST("/v1/sessions/{sessionId}/episodes", {
  params: { path: { sessionId: "chat-1" }, header: { "idempotency-key": "message-1" } },
  body: { userId: "alice", messages: [{ role: "user", content: "I prefer window seats." }] },
});

// @ts-expect-error: there is no such field.
const misspelled: components["schemas"]["SearchInput"] = { user_id: "alice", query: "" };
// @ts-expect-error: there is no such path.
const nowhere = client.GET("/v1/nowhere").catch(() => undefined);
await nowhere;

const memory: components["schemas"]["Memory"] | undefined = listed.data?.items[0];
process.stdout.write(
  JSON.stringify({
    health: health.data?.status,
    added: added.response.status,
    memory: memory?.content,
    total: listed.data?.stats?.total,
    hit: found.data?.hits[0]?.memory?.content,
    missing: missing.error?.code,
    appended: appended.response.status,
    misspelled: Object.keys(misspelled),
  }),
);
