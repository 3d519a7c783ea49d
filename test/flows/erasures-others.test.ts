import { beforeEach, describe, expect, it } from "vitest";
import type { ErasureView } from "#domain/erasures";
import { work } from "#domain/lifecycle";
import { recordEntities } from "#test/entity-requests";
import { createHarness, type Harness } from "#test/harness";
import { download, importLines } from "./export-rows.ts";
import { nth, rows } from "./requests.ts";
import { broken, diagnose, run } from "./upkeep-rows.ts";

let h: Harness;

beforeEach(async () => {
  h = await createHarness();
  await h.fetch("PUT", "/v1/sessions/crew", { body: { userId: "ben", participants: ["ann", "ben"] } });
});

async function eraseAnn(): Promise<void> {
  const started = await h.fetch<ErasureView>("DELETE", "/v1/users/ann", { user: null });
  expect(started.status, started.text).toBe(202);
  await h.settle();
  const { json } = await h.fetch<ErasureView>("GET", `/v1/erasures/${started.json.id}`);
  expect(json.status).toBe("finished");
}

/** Runs the erasure's job alone. */
async function runErasure(): Promise<void> {
  const jobs = await rows<{ jobId: string }>(
    "select id as jobId from jobs where tenant_id = ? and kind = 'erasures.run'",
    h.tenantId,
  );
  await work(
    h.services(),
    jobs.map(({ jobId }) => ({ tenantId: h.tenantId, jobId })),
  );
}

async function sayInGroup(userId: string, content: string): Promise<void> {
  const messages = [
    { role: "user", content, userId },
    { role: "assistant", content: "Noted." },
  ];
  const { status, text } = await h.fetch("POST", "/v1/sessions/crew/episodes", { body: { userId, messages } });
  expect(status, text).toBe(201);
}

const remember = async (body: object) => (await h.fetch<{ id: string }>("POST", "/v1/memories", { body })).json.id;

describe("erasing a user", () => {
  it("leaves a memory of somebody else whose metadata the app fills as summaries do", async () => {
    await sayInGroup("ann", "Hello there.");
    const me = await h.fetch<{ id: string }>("GET", "/v1/people/me?userId=ann");
    const about = { content: "She plays the cello", subjects: [me.json.id], metadata: { source: "summary" } };
    const own = await remember({ userId: "ben", ...about });
    const shared = await remember({ userId: "ben", sessionId: "crew", ...about, content: "She plays the harp" });
    await eraseAnn();
    expect((await h.fetch("GET", `/v1/memories/${own}?userId=ben`)).json).toMatchObject({ subjects: [] });
    expect((await h.fetch("GET", `/v1/memories/${shared}?userId=ben&sessionId=crew`)).status).toBe(200);
  });

  it("lets what others said be summarized anew when the group's summary goes", async () => {
    await sayInGroup("ben", "I repair sailing boats at the harbour of Lisbon every week.");
    await sayInGroup("ann", "I moved to Graz and I breed zebrafish there.");
    await h.settle();
    const summarize = async () =>
      (
        await h.fetch<{ summaries: { episodes: string[] }[] }>("POST", "/v1/summarize", {
          body: { userId: "ben", sessionId: "crew", keepTokens: 0 },
        })
      ).json.summaries;
    expect((await summarize()).map(({ episodes }) => episodes.length)).toEqual([2]);
    await eraseAnn();
    expect((await summarize()).map(({ episodes }) => episodes.length)).toEqual([1]);
  });
});

describe("a summary of a group", () => {
  it("of words that the user said goes, although retention has taken the episodes", async () => {
    await sayInGroup("ben", "I repair sailing boats at the harbour of Lisbon every week.");
    await sayInGroup("ann", "I moved to Graz and I breed zebrafish there.");
    await h.settle();
    await h.fetch("POST", "/v1/summarize", { body: { userId: "ben", sessionId: "crew", keepTokens: 0 } });
    await h.fetch("PATCH", "/v1/settings", { body: { expireEpisodes: true } });
    await rows("update episodes set created_at = 5 where tenant_id = ?", h.tenantId);
    await run(h, ["retain"]);
    const left = async () =>
      await rows("select 1 from memories where tenant_id = ? and key like 'summary:%' and deleted_at is null", h.tenantId);
    expect([await rows("select 1 from episodes where tenant_id = ?", h.tenantId), await left()]).toEqual([[], [{ 1: 1 }]]);
    await eraseAnn();
    expect(await left()).toEqual([]);
  });
});

describe("a summary", () => {
  const BOATS = "I repair sailing boats at the harbour of Lisbon every week.";
  const summarize = async (userId: string, sessionId: string) => {
    await h.settle();
    const { status, text } = await h.fetch("POST", "/v1/summarize", { body: { userId, sessionId, keepTokens: 0 } });
    expect(status, text).toBe(200);
  };
  const summaries = async () =>
    await rows<{ content: string }>(
      "select content from memories where tenant_id = ? and key like 'summary:%' and deleted_at is null",
      h.tenantId,
    );

  it("of a group that has words of others alone stays, and one with the user's goes", async () => {
    await sayInGroup("ben", BOATS);
    await summarize("ben", "crew");
    await sayInGroup("ann", "I moved to Graz and I breed zebrafish there.");
    await sayInGroup("ben", "My ladder is red and leans on the shed.");
    await summarize("ben", "crew");
    const before = (await summaries()).map(({ content }) => content);
    expect(before).toHaveLength(2);
    await eraseAnn();
    const left = (await summaries()).map(({ content }) => content);
    expect(left).toEqual(before.filter((content) => !content.includes("zebrafish")));
    expect(left.join()).toContain("boats");
    expect(await rows("select 1 from memories where tenant_id = ? and content like '%zebrafish%'", h.tenantId)).toEqual([]);
  });

  it.each([
    ["session", "/v1/sessions/chat?userId=ben"],
    ["user", "/v1/users/ben"],
  ])("of a private conversation goes with the %s, although retention has taken the episodes", async (_, path) => {
    await h.fetch("POST", "/v1/sessions/chat/episodes", {
      body: { userId: "ben", messages: [{ role: "user", content: BOATS }] },
    });
    await summarize("ben", "chat");
    await h.fetch("PATCH", "/v1/settings", { body: { expireEpisodes: true } });
    await rows("update episodes set created_at = 5 where tenant_id = ?", h.tenantId);
    await run(h, ["retain"]);
    expect([await rows("select 1 from episodes where tenant_id = ?", h.tenantId), (await summaries()).length]).toEqual([[], 1]);
    const { json } = await h.fetch<ErasureView>("DELETE", path, { user: null });
    await h.settle();
    expect((await h.fetch<ErasureView>("GET", `/v1/erasures/${json.id}`)).json.status).toBe("finished");
    expect(await summaries()).toEqual([]);
    expect(await rows("select 1 from memories where tenant_id = ? and content like '%boats%'", h.tenantId)).toEqual([]);
  });
});

describe("in a group that stays", () => {
  const append = async (userId: string, messages: object[], session = "crew") => {
    const answer = await h.fetch<{ id: string }>("POST", `/v1/sessions/${session}/episodes`, { body: { userId, messages } });
    expect(answer.status, answer.text).toBe(201);
    return answer.json.id;
  };
  const ofAnn = { role: "user", content: "My hobby is zebrafishing", userId: "ann" };
  const ofBen = { role: "user", content: "I like walrusing", userId: "ben" };
  const episodeIds = async () =>
    await rows<{ id: number; n: number }>(
      "select id, chunk_count as n from episodes where tenant_id = ? order by id",
      h.tenantId,
    );
  const contents = async () =>
    (
      await h.fetch<{ items: { messages: { content: string }[] }[] }>("GET", "/v1/sessions/crew/episodes?userId=ben")
    ).json.items.map(({ messages }) => messages.map(({ content }) => content));

  it("an assistant's message that the user sent, and nothing of theirs in it, stays", async () => {
    await append("ann", [{ role: "assistant", content: "The harbour opens at six." }]);
    await h.settle();
    await eraseAnn();
    expect(await contents()).toEqual([["The harbour opens at six."]]);
    expect(await rows("select sent_by as by from episodes where tenant_id = ?", h.tenantId)).toEqual([{ by: null }]);
  });

  it("the vectors of the user's words go, and those of others stay", async () => {
    await append("ben", [ofAnn, ofBen]);
    await h.settle();
    const [episode] = await episodeIds();
    const [group] = await rows<{ space: number }>("select space_id as space from sessions where tenant_id = ?", h.tenantId);
    const refs = [0, 1].map((i) => ({ id: `epi:${(episode?.id ?? 0) + i}`, space: group?.space ?? 0 }));
    expect(await h.services().vectors.stored(h.tenantId, refs)).toHaveLength(2);
    await h.fetch("DELETE", "/v1/users/ann", { user: null });
    // Later, a job gives the hidden passage a vector that says nothing.
    await runErasure();
    expect(await h.services().vectors.stored(h.tenantId, refs)).toEqual([refs[1]?.id]);
  });

  it("what was learned from an episode goes unless somebody else is known to have stated it", async () => {
    const episodeId = await append("ben", [ofAnn, ofBen]);
    const learnedIn = { sessionId: "crew", episodeId };
    const me = await h.fetch<{ id: string }>("GET", "/v1/people/me?userId=ben");
    const kept = await remember({ userId: "ben", content: "Ben likes walruses", learnedIn, statedBy: me.json.id });
    const nobodys = await remember({ userId: "ben", content: "Somebody keeps zebrafish", learnedIn });
    const versioned = await remember({ userId: "ben", content: "The pool is warm" });
    for (const content of ["The pool is cool", "The pool is cold", "The pool is empty"])
      await h.fetch("PATCH", `/v1/memories/${versioned}?userId=ben`, { body: { content } });
    await append("ann", [ofAnn]);
    const [both, alone] = await episodeIds();
    const [ben] = await rows<{ id: number }>("select id from persons where public_id = ?", me.json.id);
    const set = async (version: number, episode: { id: number } | undefined, statedBy: number | null) =>
      await rows(
        `update memory_versions set data = json_set(data, '$.episodeId', ?, '$.statedBy', ?) where version = ?
         and memory_id = (select id from memories where public_id = ?)`,
        episode?.id ?? 0,
        statedBy,
        version,
        versioned,
      );
    await set(1, both, null);
    await set(2, both, ben?.id ?? 0);
    await set(3, alone, ben?.id ?? 0);
    await rows("update memories set stated_by = null where public_id = ?", nobodys);
    await h.settle();
    await eraseAnn();
    const statusOf = async (id: string) => (await h.fetch("GET", `/v1/memories/${id}?userId=ben`)).status;
    expect([await statusOf(kept), await statusOf(nobodys), await statusOf(versioned)]).toEqual([200, 404, 200]);
    const left = await rows<{ version: number }>(
      "select v.version from memory_versions v join memories m on m.id = v.memory_id where m.public_id = ? order by v.version",
      versioned,
    );
    expect(left.map(({ version }) => version)).toEqual([2]);
  });

  it("mentions go with the words, and entities that nothing mentions any more and that have no notes", async () => {
    await h.fetch("PUT", "/v1/projects/zoo", { body: { userId: "ben" } });
    await h.fetch("PUT", "/v1/projects/zoo/members/ann?userId=ben");
    await h.fetch("PUT", "/v1/sessions/keepers", { body: { userId: "ben", projectId: "zoo", participants: ["ann", "ben"] } });
    const mixed = [
      { ...ofAnn, content: "The Zebrafish is ill" },
      { ...ofBen, content: "The Walrus is well" },
    ];
    await append("ben", mixed, "keepers");
    await append("ann", [{ ...ofAnn, content: "The Tapir and the Lemur sleep" }], "keepers");
    await h.settle();
    const [both, alone] = await episodeIds();
    const animal = (name: string, notes: string | null = null) => ({ type: "animal", name, notes });
    await recordEntities(h, both?.id ?? 0, [animal("Zebrafish"), animal("Walrus")]);
    await recordEntities(h, alone?.id ?? 0, [animal("Tapir"), animal("Lemur", "Has a twin.")]);
    await h.settle();
    const counts = async () =>
      Object.fromEntries(
        (
          await rows<{ name: string; n: number }>(
            `select name, (select count(*) from entity_mentions em where em.entity_id = en.id) * 10 + mention_count as n
             from entities en where tenant_id = ?`,
            h.tenantId,
          )
        ).map(({ name, n }) => [name, n]),
      );
    expect(await counts()).toEqual({ Zebrafish: 11, Walrus: 11, Tapir: 11, Lemur: 11 });
    await eraseAnn();
    expect(await counts()).toEqual({ Walrus: 11, Lemur: 0 });
  });
});

describe("what others keep", () => {
  it("of a memory about the user: neither who stated it nor whom it is about, in its versions neither", async () => {
    await sayInGroup("ann", "Hello there.");
    const me = await h.fetch<{ id: string }>("GET", "/v1/people/me?userId=ann");
    const about = { subjects: [me.json.id], statedBy: me.json.id, learnedIn: { sessionId: "crew" } };
    const id = await remember({ userId: "ben", content: "She plays the cello", ...about });
    await h.fetch("PATCH", `/v1/memories/${id}?userId=ben`, { body: { content: "She plays the harp" } });
    await h.settle();
    const people = async () =>
      await rows(
        `select m.stated_by as by, v.data ->> '$.statedBy' as wasBy, json_array_length(v.data, '$.subjects') as subjects
         from memories m join memory_versions v on v.memory_id = m.id where m.public_id = ?`,
        id,
      );
    expect(await people()).toEqual([{ by: expect.any(Number), wasBy: expect.any(Number), subjects: 1 }]);
    const [person] = await rows<{ id: number }>("select id from persons where public_id = ?", me.json.id);
    const found = async () => await rows("select rowid from memory_fts where memory_fts match ?", `space : "p${person?.id}"`);
    expect(await found()).toHaveLength(1);
    await eraseAnn();
    expect(await found()).toEqual([]);
    expect(await people()).toEqual([{ by: null, wasBy: null, subjects: 0 }]);
    expect(broken(await diagnose(h))).toEqual([]);
  });

  it("of persons, merges and documents that the user made: these without their maker", async () => {
    const person = { userId: "ann", name: "Rosa", notes: "Ann's notes", relationship: "aunt" };
    const rosa = await h.fetch<{ id: string }>("POST", "/v1/people", { body: person });
    await h.fetch("POST", "/v1/people", { body: { userId: "ann", name: "Pia" } });
    const memory = await remember({ userId: "ben", content: "She grows figs" });
    const [one, two] = [
      await h.fetch<{ id: string }>("POST", "/v1/people", { body: { userId: "ben", name: "Tom" } }),
      await h.fetch<{ id: string }>("POST", "/v1/people", { body: { userId: "ben", name: "Tim" } }),
    ];
    await h.fetch("POST", `/v1/people/${one.json.id}/merge`, { body: { userId: "ben", from: two.json.id } });
    await h.fetch("PUT", "/v1/sources/handbook", { body: {}, user: null });
    const [ann] = await rows<{ id: number }>("select id from users where tenant_id = ? and external_id = 'ann'", h.tenantId);
    await rows(
      "insert into memory_subjects (memory_id, person_id) select m.id, p.id from memories m, persons p where m.public_id = ? and p.public_id = ?",
      memory,
      rosa.json.id,
    );
    await rows("update person_merges set merged_by = ? where tenant_id = ?", ann?.id ?? 0, h.tenantId);
    await rows("update sources set created_by = ? where tenant_id = ?", ann?.id ?? 0, h.tenantId);
    await h.settle();
    await eraseAnn();
    expect(
      await rows(
        "select name, notes, relationship, created_by as by from persons where tenant_id = ? and name in ('Rosa', 'Pia')",
        h.tenantId,
      ),
    ).toEqual([{ name: "Rosa", notes: null, relationship: null, by: 0 }]);
    expect(await rows("select merged_by as by from person_merges where tenant_id = ?", h.tenantId)).toEqual([{ by: 0 }]);
    expect(await rows("select created_by as by from sources where tenant_id = ?", h.tenantId)).toEqual([{ by: null }]);
    expect(
      nth(
        await rows<{ n: number }>(
          "select count(*) as n from memory_subjects where person_id = (select id from persons where public_id = ?)",
          rosa.json.id,
        ),
        0,
      ).n,
    ).toBe(1);
  });
});

describe("a personal key of an erased user", () => {
  it("makes no user anew, although it was used a moment before", async () => {
    const { key } = (await h.fetch<{ key: string }>("POST", "/v1/keys", { body: { name: "ann's", userId: "ann" } })).json;
    const write = async () =>
      (await h.fetch("POST", "/v1/memories", { key, user: null, body: { content: "I keep lemurs" } })).status;
    expect(await write()).toBe(201);
    await eraseAnn();
    expect(await write()).toBe(401);
    expect((await h.fetch("GET", "/v1/users/ann", { user: null })).status).toBe(404);
  });
});

describe("an import of a backup from before an erasure", () => {
  async function backUpAndErase() {
    await sayInGroup("ann", "My hobby is zebrafishing.");
    await sayInGroup("ben", "I like walrusing.");
    await remember({ userId: "ann", sessionId: "crew", content: "The team meets at the tapir house" });
    await remember({ userId: "ann", content: "Ann keeps lemurs" });
    await h.settle();
    const { lines } = await download(h);
    await eraseAnn();
    return lines;
  }

  const ERASED = /zebrafishing|tapir house|lemurs/;

  it("brings back no words in a group that stays, and nothing that was stated there", async () => {
    const lines = await backUpAndErase();
    const report = await importLines(h, lines);
    expect(report.problems).toContainEqual({ title: "episodes", reason: "It was erased here, and stays erased." });
    const { text } = await download(h);
    expect(text).not.toMatch(ERASED);
    expect(text).toContain("walrusing");
  });

  it("brings nothing back for a user whom the app has made anew, and keeps what is new", async () => {
    const lines = await backUpAndErase();
    await remember({ userId: "ann", content: "Ann is new here" });
    await importLines(h, lines);
    const { text } = await download(h);
    expect(text).not.toMatch(ERASED);
    expect(text).toContain("Ann is new here");
    const later = await importLines(h, (await download(h)).lines, { importId: 2 });
    expect(later.problems).toEqual([]);
  });
});
