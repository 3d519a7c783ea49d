import { beforeAll, describe, expect, it } from "vitest";
import { sha256 } from "#core/ids";
import type { ImportPartView, ImportView } from "#domain/imports";
import { createHarness, type Harness } from "#test/harness";
import {
  begin,
  chatGptConversation,
  chatMessage,
  claudeConversation,
  finish,
  idOf,
  nodeOf,
  part,
  start,
} from "./import-requests.ts";
import { append, find, history, type Problem, rows, say, textsOf } from "./requests.ts";

let h: Harness;
beforeAll(async () => {
  h = await createHarness();
});

const said = async (session: string) =>
  (await history(h, encodeURIComponent(session) === session ? session : session)).json.items.map(({ messages }) =>
    messages.map(({ role, content }) => `${role}: ${content}`),
  );
const outcomes = ({ json }: { json: ImportPartView }) => json.items.map(({ outcome, messages }) => [outcome, messages]);
const storedOf = async (session: string) =>
  (
    await rows<{ episodes: number; keys: number }>(
      `select count(*) as episodes, (select count(*) from message_keys k where k.session_id = s.id) as keys
       from sessions s left join episodes e on e.session_id = s.id where s.tenant_id = ? and s.external_id = ?`,
      h.tenantId,
      session,
    )
  )[0];

const sessionIn = ({ json }: { json: ImportPartView }) => json.items[0]?.sessionId ?? "";

describe("an import", () => {
  it("stores conversations as private sessions with their titles and times, and finds them at once", async () => {
    const id = await start(h, { sha: "1" });
    const { status, json } = await part(h, id, [chatGptConversation("graz", ["Where is the Uhrturm?", "On the Schlossberg."])]);
    expect([status, json.items]).toEqual([
      200,
      [
        {
          ...{ position: 0, title: "About graz", sessionId: await idOf(h, "chatgpt:graz"), outcome: "stored" },
          ...{ messages: 2, messagesKnown: 0, reason: null, notes: [] },
        },
      ],
    ]);
    expect(await said(await idOf(h, "chatgpt:graz"))).toEqual([
      ["user: Where is the Uhrturm?", "assistant: On the Schlossberg."],
    ]);
    const { json: session } = await h.fetch("GET", `/v1/sessions/${await idOf(h, "chatgpt:graz")}`);
    expect(session).toMatchObject({ kind: "private", title: "About graz", lastAt: "2025-03-01T09:00:01.500Z" });
    expect(textsOf(await find(h, "Uhrturm"))).toContain("Where is the Uhrturm?");
    await h.settle();
    const [episode] = await rows(
      "select vector_model, extracted from episodes e join sessions s on s.id = e.session_id where s.external_id like 'chatgpt:graz:%'",
    );
    expect(episode).toEqual({ vector_model: expect.any(String), extracted: "rules" });
  });

  it("of the same file adds nothing, whether its parts are sent again or not", async () => {
    const conversations = [chatGptConversation("same", ["One", "Two", "Three"])];
    const id = await start(h, { sha: "2" });
    await part(h, id, conversations);
    const before = await storedOf(await idOf(h, "chatgpt:same"));
    expect(outcomes(await part(h, id, conversations))).toEqual([["known", 0]]);
    await finish(h, id);
    const again = await begin(h, { sha: "2" });
    expect([again.status, again.json]).toMatchObject([
      200,
      { id, repeated: true, status: "finished", statistics: { stored: 1, messages: 3 } },
    ]);
    expect((await part<Problem>(h, id, conversations)).status).toBe(409);
    const another = await start(h, { sha: "3" });
    expect(outcomes(await part(h, another, conversations))).toEqual([["known", 0]]);
    expect(await storedOf(await idOf(h, "chatgpt:same"))).toEqual(before);
  });

  it("of a grown export adds only what is new", async () => {
    const id = await start(h, { sha: "4" });
    await part(h, id, [chatGptConversation("grown", ["One", "Two"])]);
    expect(outcomes(await part(h, id, [chatGptConversation("grown", ["One", "Two", "Three", "Four"])]))).toEqual([["grown", 2]]);
    expect(await said(await idOf(h, "chatgpt:grown"))).toEqual([
      ["user: One", "assistant: Two"],
      ["user: Three", "assistant: Four"],
    ]);
    expect(await finish(h, id)).toMatchObject({ statistics: { stored: 1, grown: 1, messages: 4, messagesKnown: 2 } });
  });

  it("goes into the user's project, and into none that they do not belong to", async () => {
    await h.fetch("PUT", "/v1/projects/travel", { body: {} });
    const id = await start(h, { sha: "5", projectId: "travel" });
    await part(h, id, [chatGptConversation("placed", ["One"])]);
    expect((await h.fetch("GET", `/v1/sessions/${await idOf(h, "chatgpt:placed")}`)).json).toMatchObject({ projectId: "travel" });
    expect((await begin<Problem>(h, { sha: "6", projectId: "nowhere" })).status).toBe(404);
    expect((await begin<Problem>(h, { sha: "6", projectId: "travel", userId: "other" })).status).toBe(404);
  });

  it("leaves a session where it is when it grows", async () => {
    await h.fetch("PUT", "/v1/projects/elsewhere", { body: {} });
    await part(h, await start(h, { sha: "61" }), [chatGptConversation("stays", ["One"])]);
    const id = await start(h, { sha: "62", projectId: "elsewhere" });
    expect(outcomes(await part(h, id, [chatGptConversation("stays", ["One", "Two"])]))).toEqual([["grown", 1]]);
    expect((await h.fetch("GET", `/v1/sessions/${await idOf(h, "chatgpt:stays")}`)).json).toMatchObject({ projectId: null });
  });

  it("ends once, and reports no more than 200 problems", async () => {
    const id = await start(h, { sha: "63" });
    for (let i = 0; i < 5; i += 1)
      await part(
        h,
        id,
        Array.from({ length: 41 }, () => null),
      );
    const first = await finish(h, id);
    expect([first.problems.length, first.statistics.failed]).toEqual([200, 205]);
    expect(await finish(h, id, { isComplete: false })).toEqual(first);
    expect(
      await rows("select 1 from audit where tenant_id = ? and action = 'import.finished' and object_id = ?", h.tenantId, id),
    ).toHaveLength(1);
  });

  it("says of a conversation which times it guessed", async () => {
    const nodes = [
      nodeOf("g0", null, chatMessage("user", "One")),
      nodeOf("g1", "g0", chatMessage("assistant", "Two", { create_time: null })),
    ];
    const guessed = { id: "guessed", title: null, current_node: "g1", mapping: Object.fromEntries(nodes) };
    const { json } = await part(h, await start(h, { sha: "64" }), [guessed]);
    expect(json.items).toMatchObject([{ title: null, outcome: "stored", notes: [expect.stringContaining("no time")] }]);
  });

  it("as a dry run reports the same and stores nothing", async () => {
    const id = await start(h, { sha: "7", dryRun: true });
    expect(outcomes(await part(h, id, [chatGptConversation("dry", ["One", "Two"])]))).toEqual([["stored", 2]]);
    expect(await rows("select id from sessions where external_id like 'chatgpt:dry%'")).toEqual([]);
    expect(await finish(h, id)).toMatchObject({ dryRun: true, statistics: { stored: 1, messages: 2 } });
    expect((await begin(h, { sha: "7" })).json).toMatchObject({ repeated: false });
  });

  it("that was cut off begins anew, and knows what it has stored", async () => {
    const cut = await start(h, { sha: "8" });
    await part(h, cut, [chatGptConversation("cut", ["One"])]);
    const next = await start(h, { sha: "8" });
    expect(next).not.toBe(cut);
    expect(outcomes(await part(h, next, [chatGptConversation("cut", ["One"]), chatGptConversation("rest", ["Two"])]))).toEqual([
      ["known", 0],
      ["stored", 1],
    ]);
    expect((await h.fetch(`GET`, `/v1/imports/${cut}`)).json).toMatchObject({ status: "failed" });
    await finish(h, next, { isComplete: false });
    expect((await begin(h, { sha: "8" })).json.repeated).toBe(false);
  });

  it("writes one audit row for a conversation, however many episodes it has", async () => {
    const id = await start(h, { sha: "9" });
    const texts = Array.from({ length: 500 }, (_, i) => `line ${i}`);
    expect(outcomes(await part(h, id, [chatGptConversation("long", texts)]))).toEqual([["stored", 500]]);
    const audit = await rows<{ detail: string }>(
      "select detail from audit where tenant_id = ? and action = 'conversation.imported' and detail like '%\"episodes\":250%'",
      h.tenantId,
    );
    expect(audit.map(({ detail }) => JSON.parse(detail))).toEqual([
      { importId: id, platform: "chatgpt", episodes: 250, messages: 500 },
    ]);
  });

  it("stores Claude's conversations, and reports its projects", async () => {
    const id = await start(h, { sha: "a", platform: "claude" });
    const answer = await part(h, id, [claudeConversation("moor", ["What is a moor?", "A bog."])], {
      projects: [{ uuid: "p", name: "Bogs", docs: [] }],
    });
    expect(outcomes(answer)).toEqual([
      ["stored", 2],
      ["skipped", 0],
    ]);
    expect(await said(await idOf(h, "claude:moor"))).toEqual([["user: What is a moor?", "assistant: A bog."]]);
  });

  it("stores the documents of Claude's projects as sources of the project that it names, once", async () => {
    await h.fetch("PUT", "/v1/projects/moors", { body: {} });
    const docs = [{ filename: "peat.md", content: "# Peat\n\nPeat is cut in the sphagnum bogs of Connemara." }];
    const projects = [{ uuid: "p1", name: "Bogs", docs }];
    const dry = await start(h, { sha: "e", platform: "claude", projectId: "moors", dryRun: true });
    expect(outcomes(await part(h, dry, [], { projects }))).toEqual([["stored", 0]]);
    expect((await h.fetch("GET", `/v1/sources/${await idOf(h, "claude:p1", "moors")}`)).status).toBe(404);
    const id = await start(h, { sha: "f", platform: "claude", projectId: "moors" });
    const answer = await part(h, id, [], { projects });
    expect(outcomes(answer)).toEqual([["stored", 0]]);
    expect(answer.json.statistics).toMatchObject({ documents: 1, projectsLeftOut: 0 });
    expect(outcomes(await part(h, id, [], { projects }))).toEqual([["known", 0]]);
    await h.settle();
    const source = await h.fetch<{ name: string; files: unknown }>("GET", `/v1/sources/${await idOf(h, "claude:p1", "moors")}`);
    expect(source.json).toMatchObject({ name: "Bogs", projectId: "moors" });
    const found = await h.fetch<{ hits: { kind: string; document: { path: string } | null }[] }>("POST", "/v1/search", {
      body: { query: "sphagnum Connemara", projectId: "moors", kinds: ["chunk"] },
    });
    expect(found.json.hits.map(({ kind, document }) => [kind, document?.path])).toEqual([["chunk", "peat.md"]]);
  });

  it("is listed for its user, and is no other's", async () => {
    const id = await start(h, { sha: "b", userId: "lister" });
    const { json } = await h.fetch<{ items: ImportView[] }>("GET", "/v1/imports?userId=lister");
    expect(json.items.map((one) => one.id)).toEqual([id]);
    expect((await h.fetch("GET", `/v1/imports/${id}?userId=other`)).status).toBe(404);
    expect((await part<Problem>(h, id, [chatGptConversation("x", ["x"])], { userId: "other" })).status).toBe(404);
    expect((await h.fetch("POST", `/v1/imports/${id}/finish`, { body: { userId: "other" } })).status).toBe(404);
  });
});

describe("the same export", () => {
  const asBob = { userId: "bob" };

  it("of two users becomes sessions of each, whoever imports it first", async () => {
    const export1 = [chatGptConversation("shared", ["One", "Two"])];
    const first = await part(h, await start(h, { sha: "61" }), export1);
    const id = await start(h, { sha: "61", ...asBob });
    const second = await part(h, id, [...export1, chatGptConversation("bobs", ["Three"])], asBob);
    expect([outcomes(first), outcomes(second)]).toEqual([
      [["stored", 2]],
      [
        ["stored", 2],
        ["stored", 1],
      ],
    ]);
    const [mine, bobs] = [sessionIn(first), sessionIn(second)];
    expect(mine).not.toBe(bobs);
    expect(await said(mine)).toEqual([["user: One", "assistant: Two"]]);
    const { json } = await history(h, bobs, "?userId=bob");
    expect(json.items).toHaveLength(1);
    expect((await h.fetch("GET", `/v1/sessions/${encodeURIComponent(mine)}?userId=bob`)).status).toBe(404);
    expect(outcomes(await part(h, id, [chatGptConversation("shared", ["One", "Two", "Three"])], asBob))).toEqual([["grown", 1]]);
    expect(await said(mine)).toHaveLength(1);
  });

  it("of a user whose conversations an earlier version stored is known under their ids of then", async () => {
    await append(h, "chatgpt:before", { messages: [{ role: "user", content: "One", messageId: "before-0" }] });
    const mine = await part(h, await start(h, { sha: "62" }), [chatGptConversation("before", ["One", "Two"])]);
    expect([outcomes(mine), sessionIn(mine)]).toEqual([[["grown", 1]], "chatgpt:before"]);
    const bobs = await part(h, await start(h, { sha: "62", ...asBob }), [chatGptConversation("before", ["One", "Two"])], asBob);
    expect([outcomes(bobs), sessionIn(bobs)]).toEqual([[["stored", 2]], await idOf(h, "chatgpt:before", "bob")]);
  });

  it("of a user whose conversations were restored from another service is known under their ids there, and erased with them", async () => {
    const there = (name: string) => `chatgpt:${name}:0123456789abcdef`;
    for (const name of ["moved", "moved-and-erased"])
      await append(h, there(name), { messages: [{ role: "user", content: "One", messageId: `${name}-0` }] });
    expect((await h.fetch("DELETE", `/v1/sessions/${there("moved-and-erased")}`)).status).toBe(202);
    await h.settle();
    const answer = await part(
      h,
      await start(h, { sha: "68" }),
      ["moved", "moved-and-erased"].map((name) => chatGptConversation(name, ["One", "Two"])),
    );
    expect(outcomes(answer)).toEqual([
      ["grown", 1],
      ["erased", 0],
    ]);
    expect(sessionIn(answer)).toBe(there("moved"));
  });

  it("does not go into a group that has exactly its id", async () => {
    const id = await idOf(h, "chatgpt:shared-id");
    await h.fetch("PUT", `/v1/sessions/${id}`, { body: { ...asBob, kind: "group", participants: ["me", "bob"] } });
    const answer = await part(h, await start(h, { sha: "6c" }), [chatGptConversation("shared-id", ["One"])]);
    expect(outcomes(answer)).toEqual([["failed", 0]]);
    expect((await history(h, id, "?userId=bob")).json.items).toEqual([]);
  });

  it("is not taken for one whose id begins with its own", async () => {
    for (const id of ["chatgpt:begun:second:0123456789abcdef", "chatgpt:begun-0123456789abcdef"])
      await append(h, id, { messages: [{ role: "user", content: "One", messageId: "begun-0" }] });
    const answer = await part(h, await start(h, { sha: "6b" }), [chatGptConversation("begun", ["One"])]);
    expect([outcomes(answer), sessionIn(answer)]).toEqual([[["stored", 1]], await idOf(h, "chatgpt:begun")]);
  });

  it("is not kept out by who takes the id that can be computed without the service's key", async () => {
    const computed = await sha256(JSON.stringify([h.tenantId, "chatgpt:squatted", "me"]));
    await append(h, `chatgpt:squatted:${computed.slice(0, 16)}`, { ...asBob, messages: [{ role: "user", content: "Mine!" }] });
    const answer = await part(h, await start(h, { sha: "69" }), [chatGptConversation("squatted", ["One"])]);
    expect(outcomes(answer)).toEqual([["stored", 1]]);
  });

  it("of the same user is checked against what is stored now if that is asked for, and what was erased stays so", async () => {
    const conversations = ["kept", "erased", "cleared"].map((name) => chatGptConversation(`again-${name}`, ["One", "Two"]));
    const first = await start(h, { sha: "66" });
    await part(h, first, conversations);
    await finish(h, first);
    const started = await h.fetch<{ id: string }>("DELETE", `/v1/sessions/${await idOf(h, "chatgpt:again-erased")}`);
    expect(started.status).toBe(202);
    await h.settle();
    const cleared = await idOf(h, "chatgpt:again-cleared");
    const [episode] = (await history(h, cleared)).json.items;
    await h.fetch("DELETE", `/v1/sessions/${cleared}/episodes/${episode?.id}`);
    expect((await begin(h, { sha: "66" })).json).toMatchObject({ id: first, repeated: true });
    const again = await begin(h, { sha: "66", again: true });
    expect([again.status, again.json.repeated]).toEqual([201, false]);
    expect(outcomes(await part(h, again.json.id, conversations))).toEqual([
      ["known", 0],
      ["erased", 0],
      ["grown", 2],
    ]);
  });

  it("into another project says how many conversations stay where they are", async () => {
    await h.fetch("PUT", "/v1/projects/second", { body: {} });
    const conversations = [chatGptConversation("staying", ["One"])];
    await part(h, await start(h, { sha: "67" }), conversations);
    const id = await start(h, { sha: "67", projectId: "second" });
    await part(h, id, [...conversations, chatGptConversation("new", ["One"])]);
    expect((await finish(h, id)).statistics).toMatchObject({ known: 1, stored: 1, elsewhere: 1 });
    expect((await h.fetch("GET", `/v1/sessions/${await idOf(h, "chatgpt:staying")}`)).json).toMatchObject({ projectId: null });
  });

  it("of members of two projects becomes sources of each", async () => {
    await h.fetch("PUT", "/v1/projects/mine", { body: {} });
    await h.fetch("PUT", "/v1/projects/bobs", { body: asBob });
    const projects = [
      { uuid: "p7", name: "Fens", docs: [{ filename: "fen.md", content: "# Fen\n\nA fen is fed by ground water." }] },
    ];
    const mine = await start(h, { sha: "63", platform: "claude", projectId: "mine" });
    expect((await part(h, mine, [], { projects })).json.statistics).toMatchObject({ documents: 1 });
    const bobs = await start(h, { sha: "63", platform: "claude", projectId: "bobs", ...asBob });
    expect((await part(h, bobs, [], { projects, ...asBob })).json.statistics).toMatchObject({ documents: 1 });
    expect(outcomes(await part(h, bobs, [], { projects, ...asBob }))).toEqual([["known", 0]]);
  });
});

describe("bad input of an import", () => {
  it("is refused as a whole if it is of another platform", async () => {
    const id = await start(h, { sha: "c" });
    const wrong = await part<Problem>(h, id, [chatGptConversation("first", ["x"]), claudeConversation("c", ["x"])]);
    expect([wrong.status, wrong.json.detail]).toEqual([422, "These are of Claude, and the import is of ChatGPT."]);
    const activity = { header: "Gemini Apps", title: "Prompted x", time: "2025-03-01T09:00:00Z" };
    expect((await h.fetch("POST", `/v1/imports/${id}/parts`, { body: { activities: [activity] } })).status).toBe(422);
    expect((await h.fetch("POST", `/v1/imports/${id}/parts`, { body: {} })).status).toBe(422);
    expect(await rows("select id from sessions where external_id like 'chatgpt:first%'")).toEqual([]);
  });

  it("is reported by its title, and the rest goes in", async () => {
    const id = await start(h, { sha: "d" });
    const answer = await part(h, id, [
      null,
      { title: "Lost", mapping: {} },
      chatGptConversation("fine", ["One"]),
      { ...chatGptConversation("empty", ["x"]), title: "Empty", mapping: {} },
    ]);
    expect(outcomes(answer)).toEqual([
      ["failed", 0],
      ["failed", 0],
      ["stored", 1],
      ["empty", 0],
    ]);
    expect((await finish(h, id)).problems).toEqual([
      { title: "Untitled", reason: "It has not the form of a conversation of ChatGPT." },
      { title: "Lost", reason: "It has neither an id nor messages." },
      { title: await idOf(h, "chatgpt:empty"), reason: "It has no message of the user or the assistant." },
    ]);
  });

  it("whose session the user may no longer enter is a problem of that conversation", async () => {
    await h.fetch("PUT", "/v1/projects/left", { body: {} });
    await h.fetch("PUT", "/v1/projects/left/members/leaver", { body: {} });
    const first = await start(h, { sha: "e1", userId: "leaver", projectId: "left" });
    await part(h, first, [chatGptConversation("left", ["mine"])], { userId: "leaver" });
    await h.fetch("DELETE", "/v1/projects/left/members/leaver");
    const again = await start(h, { sha: "e2", userId: "leaver" });
    const answer = await part(h, again, [chatGptConversation("left", ["mine", "more"]), chatGptConversation("free", ["x"])], {
      userId: "leaver",
    });
    expect(outcomes(answer)).toEqual([
      ["failed", 0],
      ["stored", 1],
    ]);
    expect(answer.json.items[0]?.reason).toBe("It was imported before, and the user may no longer enter its session.");
  });

  it("is nothing half-written: a conversation with more messages than a part may hold is not begun", async () => {
    const id = await start(h, { sha: "f" });
    const texts = Array.from({ length: 4_001 }, (_, i) => `line ${i}`);
    expect(outcomes(await part(h, id, [chatGptConversation("huge", texts), chatGptConversation("small", ["x"])]))).toEqual([
      ["failed", 0],
      ["stored", 1],
    ]);
    expect(await rows("select id from sessions where external_id like 'chatgpt:huge%'")).toEqual([]);
  });

  it("may come in pieces, which become one session and are counted once", async () => {
    const id = await start(h, { sha: "10" });
    const whole = chatGptConversation("pieces", ["One", "Two", "Three", "Four"]);
    const nodes = Object.entries(whole.mapping as object);
    await part(h, id, [{ ...whole, current_node: "pieces-1", mapping: Object.fromEntries(nodes.slice(0, 3)) }]);
    const later = await part(h, id, [{ ...whole, mapping: Object.fromEntries(nodes.slice(3)) }], { isPiece: true });
    expect(later.json.items[0]).toMatchObject({ outcome: "grown", messages: 2, notes: [] });
    expect(await finish(h, id)).toMatchObject({ statistics: { stored: 1, grown: 0, messages: 4 } });
    expect(await said(await idOf(h, "chatgpt:pieces"))).toHaveLength(2);
  });

  it("of lone surrogates, long ids, absurd times and secrets is stored as what can be", async () => {
    const id = await start(h, { sha: "11" });
    const nodes = [
      nodeOf("a\ud800", null, chatMessage("user", "broken \ud800 text", { create_time: 1e300 })),
      nodeOf(
        "b".repeat(5_000),
        "a\ud800",
        chatMessage("assistant", "the key is sk_live_4eC39HqLyjWDarjtT1zdp7dc", { create_time: 253402300800 }),
      ),
    ];
    const odd = {
      id: "odd".repeat(200),
      title: "Title \ud800",
      current_node: "b".repeat(5_000),
      mapping: Object.fromEntries(nodes),
    };
    const { json } = await part(h, id, [odd]);
    expect(json.items[0]).toMatchObject({ outcome: "stored", messages: 2, title: "Title \ufffd" });
    const session = json.items[0]?.sessionId ?? "";
    expect(session).toMatch(/^chatgpt:[0-9a-f]{32}:[0-9a-f]{16}$/);
    const [episode] = (await history(h, session)).json.items;
    expect(episode?.messages.map(({ content }) => content)).toEqual([
      "broken \ufffd text",
      expect.stringContaining("[redacted:"),
    ]);
    expect(Date.parse(episode?.occurredAt ?? "")).toBeLessThan(Date.now() + 1_000);
    expect(outcomes(await part(h, id, [odd]))).toEqual([["known", 0]]);
  });

  it("with a secret in a title, a prompt or a document's name is stored without it, and the rest goes in", async () => {
    const secret = "hunter2-Xy7!";
    const chats = await part(h, await start(h, { sha: "51" }), [
      chatGptConversation("titled", ["One"], { title: `my password is ${secret}` }),
      { title: `my password is ${secret}`, mapping: {} },
      chatGptConversation("beside", ["Two"]),
    ]);
    expect([chats.status, outcomes(chats)]).toEqual([
      200,
      [
        ["stored", 1],
        ["failed", 0],
        ["stored", 1],
      ],
    ]);
    await h.fetch("PUT", "/v1/projects/secrets", { body: {} });
    const claude = await start(h, { sha: "52", platform: "claude", projectId: "secrets" });
    const docs = [{ filename: `my password is ${secret}`, content: "A text." }];
    const project = await part(h, claude, [], { projects: [{ uuid: "p9", name: `my password is ${secret}`, docs }] });
    expect([project.status, outcomes(project)]).toEqual([200, [["stored", 0]]]);
    const gemini = await start(h, { sha: "53", platform: "gemini" });
    const activities = ["my password is hunter2-Xy7!", "What is peat?"].map((prompt, i) => ({
      ...{ header: "Gemini Apps", products: ["Gemini Apps"], title: `Prompted ${prompt}` },
      ...{ time: `2025-03-01T09:0${i}:00Z`, safeHtmlItem: [{ html: "<p>Well.</p>" }] },
    }));
    const prompts = await h.fetch<ImportPartView>("POST", `/v1/imports/${gemini}/parts`, { body: { activities } });
    expect([prompts.status, outcomes(prompts)]).toEqual([200, [["stored", 4]]]);
    await h.settle();
    const shown = await Promise.all(
      [
        "/v1/sessions",
        "/v1/imports",
        "/v1/sources?projectId=secrets",
        `/v1/sources/${await idOf(h, "claude:p9", "secrets")}/files`,
      ].map((path) => h.fetch("GET", path)),
    );
    const all = JSON.stringify([chats.json, project.json, prompts.json, ...shown.map(({ json }) => json)]);
    expect(all).toContain("[redacted:password]");
    expect(all).not.toContain("hunter2");
  });

  it("names a conversation twice: its messages are stored once", async () => {
    const id = await start(h, { sha: "12" });
    const twice = [chatGptConversation("twice", ["One", "Two"]), chatGptConversation("twice", ["One", "Two"])];
    expect(outcomes(await part(h, id, twice))).toEqual([
      ["stored", 2],
      ["known", 0],
    ]);
    expect(await storedOf(await idOf(h, "chatgpt:twice"))).toEqual({ episodes: 1, keys: 2 });
  });
});

describe("what was erased", () => {
  const erase = async (kind: string, id: string) => {
    const hash = (await h.services().secretBox?.sign(JSON.stringify([h.tenantId, kind, id]), "tombstones")) ?? "";
    await rows("insert into tombstones (tenant_id, subject_hash, erasure_id, erased_at) values (?, ?, 1, 1)", h.tenantId, hash);
  };

  it("does not come back with an import", async () => {
    await erase("session", "chatgpt:gone");
    await erase("session", await idOf(h, "chatgpt:left"));
    const id = await start(h, { sha: "13" });
    const answer = await part(
      h,
      id,
      ["gone", "left", "there"].map((name) => chatGptConversation(name, ["x"])),
    );
    expect(outcomes(answer)).toEqual([
      ["erased", 0],
      ["erased", 0],
      ["stored", 1],
    ]);
    expect(await rows("select id from sessions where external_id like 'chatgpt:gone%'")).toEqual([]);
  });

  it("by one user keeps nothing from another", async () => {
    await erase("session", await idOf(h, "chatgpt:both"));
    const id = await start(h, { sha: "64", userId: "bob" });
    expect(outcomes(await part(h, id, [chatGptConversation("both", ["x"])], { userId: "bob" }))).toEqual([["stored", 1]]);
  });

  it("as a source that was restored from another service does not come back either", async () => {
    await h.fetch("PUT", "/v1/projects/fens", { body: {} });
    await h.fetch("PUT", "/v1/sources/claude:p7:0123456789abcdef", { body: { projectId: "fens" } });
    expect((await h.fetch("DELETE", "/v1/sources/claude:p7:0123456789abcdef")).status).toBe(202);
    await h.settle();
    const id = await start(h, { sha: "6a", platform: "claude", projectId: "fens" });
    const projects = [{ uuid: "p7", name: "Fens", docs: [{ filename: "fen.md", content: "A fen." }] }];
    expect(outcomes(await part(h, id, [], { projects }))).toEqual([["erased", 0]]);
  });

  it("as a source of documents does not come back", async () => {
    await h.fetch("PUT", "/v1/projects/fens", { body: {} });
    await erase("source", await idOf(h, "claude:p8", "fens"));
    const id = await start(h, { sha: "65", platform: "claude", projectId: "fens" });
    const projects = [{ uuid: "p8", name: "Fens", docs: [{ filename: "fen.md", content: "A fen." }] }];
    expect(outcomes(await part(h, id, [], { projects }))).toEqual([["erased", 0]]);
    expect((await h.fetch("GET", `/v1/sources/${await idOf(h, "claude:p8", "fens")}`)).status).toBe(404);
  });

  it("as a user is refused until the app creates them again", async () => {
    await erase("user", "erased-ann");
    const refused = await begin<Problem>(h, { sha: "14", userId: "erased-ann" });
    expect([refused.status, refused.json.detail]).toEqual([409, expect.stringContaining("PUT /v1/users")]);
    await say(h, "new-chat", "I am back", { userId: "erased-ann" });
    expect((await begin(h, { sha: "14", userId: "erased-ann" })).status).toBe(201);
  });
});
