import { z } from "zod";
import { call, jobsDone, type Service } from "../quality/service-client.ts";
import { append, askContext, inParallel } from "./client.ts";
import { type Counts, count, has, hasAll, judgeListAnswer, placeOfCurrent, precisionAndRecall } from "./score.ts";
import { JOBS_TIMEOUT_MS, sendChats, sendUpdates } from "./send-talk.ts";
import type { PartName, Talk } from "./talk.ts";

/** The budgets of a context, in tokens: usual, and one in which noise is expensive. */
const USUAL = 1_000;
const SMALL = 450;

type Lang = { lang: string };
export type Run = {
  service: Service;
  /** Before every user's and session's id, so that two runs share nothing. */
  run: string;
  countsOf: (row: Lang) => Counts;
  /** Called for every case that missed. */
  miss: (...words: unknown[]) => void;
  /** Of LoCoMo: asks again after each session was summarized beyond so many tokens; null for not. */
  keepTokens: number | null;
};

export const RUN_PART: { [P in PartName]: (run: Run, rows: Talk[P]) => Promise<void> } = {
  updates: runUpdates,
  forget: runForget,
  lists: runLists,
  groups: runGroups,
  profile: runProfile,
  chats: runChats,
  precision: runPrecision,
};

async function runUpdates({ service, run, countsOf, miss }: Run, rows: Talk["updates"]): Promise<void> {
  const user = (id: string) => `${run}-${id}`;
  await sendUpdates({ service, run }, rows);
  for (const row of rows) {
    const counts = countsOf(row);
    const { lines } = await askContext(service, { userId: user(row.id), query: row.question, maxTokens: USUAL });
    const { at, staleBefore } = placeOfCurrent(lines, row);
    count(counts, "current in the block", at >= 0);
    count(counts, "current first", at === 0);
    count(counts, "stale before it", staleBefore);
    if (at !== 0 || staleBefore)
      miss("updates", row.id, { at, staleBefore }, row.first, "|", row.later, "|", row.question, lines);
  }
}

async function runForget({ service, run, countsOf, miss }: Run, rows: Talk["forget"]): Promise<void> {
  const user = (id: string) => `${run}-${id}`;
  await inParallel(rows, ({ id, first }) =>
    append(service, { userId: user(id), sessionId: user(id), daysAgo: 5 }, [{ text: first }]),
  );
  await jobsDone(service, JOBS_TIMEOUT_MS);
  await inParallel(rows, ({ id, forget }) =>
    append(service, { userId: user(id), sessionId: user(id), daysAgo: 1 }, [{ text: forget }]),
  );
  await jobsDone(service, JOBS_TIMEOUT_MS);
  for (const row of rows) {
    const counts = countsOf(row);
    const userId = user(row.id);
    const { block } = await askContext(service, { userId, query: row.question, maxTokens: USUAL });
    const listed = await call(service, "GET", `/v1/memories?userId=${userId}&limit=50&stats=false`);
    const searched = Hits.parse(await call(service, "POST", "/v1/search", { userId, query: row.question, limit: 20 })).hits;
    const returned = [block, JSON.stringify(listed), JSON.stringify(searched)].join("\n");
    const gone = row.gone.filter((word) => !has(row.question, word) && !has(row.forget, word));
    if (gone.length > 0) {
      const left = gone.filter((word) => has(returned, word));
      count(counts, "gone", left.length === 0);
      if (left.length > 0) miss("forget", row.id, "still returned", left, row.first, "|", row.forget);
    }
    if (row.keep.length > 0) {
      const last = JSON.stringify(await call(service, "GET", `/v1/sessions/${userId}/episodes?userId=${userId}&limit=10`));
      const kept = hasAll(last + returned, row.keep);
      count(counts, gone.length > 0 ? "the rest kept" : "kept where nothing was to be forgotten", kept);
      if (!kept) miss("forget", row.id, "lost", row.keep, row.first, "|", row.forget);
    }
  }
}

const Hits = z.object({ hits: z.array(z.object({ id: z.string(), content: z.string() })) });
const Answer = z.object({
  routed: z.boolean(),
  found: z.boolean().nullish(),
  text: z.string().nullish(),
  values: z.array(z.object({ value: z.string() })).nullish(),
});

async function runLists({ service, run, countsOf, miss }: Run, rows: Talk["lists"]): Promise<void> {
  const longest = Math.max(0, ...rows.map(({ turns }) => turns.length));
  for (let turn = 0; turn < longest; turn += 1) {
    await inParallel(rows, async ({ id, turns }) => {
      const text = turns[turn];
      if (text !== undefined) await append(service, { userId: `${run}-${id}`, sessionId: `${run}-${id}` }, [{ text }]);
    });
    await jobsDone(service, JOBS_TIMEOUT_MS);
  }
  for (const row of rows) {
    const counts = countsOf(row);
    const userId = `${run}-${row.id}`;
    for (const asked of row.questions) {
      const got = Answer.parse(await call(service, "POST", "/v1/answer", { userId, sessionId: userId, question: asked.q }));
      const answer = {
        routed: got.routed,
        found: got.found ?? false,
        text: got.text ?? "",
        values: (got.values ?? []).map(({ value }) => value),
      };
      const verdict = judgeListAnswer(answer, asked);
      if (verdict === "left alone" || verdict === "taken") count(counts, "other questions left alone", verdict === "left alone");
      else for (const name of ["right", "wrong", "denied", "not routed"]) count(counts, name, verdict === name);
      if (verdict !== "right" && verdict !== "left alone")
        miss("lists", row.id, verdict, row.turns, "|", asked, "| got", answer.text);
    }
  }
}

async function runGroups({ service, run, countsOf, miss }: Run, rows: Talk["groups"]): Promise<void> {
  const idIn = (row: string) => (who: string) => `${run}-${row}-${who}`;
  await inParallel(rows, async (row) => {
    const id = idIn(row.id);
    for (const name of row.participants) await call(service, "PUT", `/v1/users/${encodeURIComponent(id(name))}`, { name });
    await call(service, "PUT", `/v1/sessions/${id("group")}`, { participants: row.participants.map(id) });
    for (const { by, text, private: alone } of row.messages)
      await append(service, { userId: id(by), sessionId: alone ? id(`private-${by}`) : id("group") }, [{ text }]);
  });
  await jobsDone(service, JOBS_TIMEOUT_MS);
  for (const row of rows) {
    const id = idIn(row.id);
    const counts = countsOf(row);
    for (const { by, where, q, mustSee, mustNotSee } of row.asks) {
      const sessionId = where === "group" ? id("group") : id(`asks-${by}`);
      const { block } = await askContext(service, { userId: id(by), query: q, maxTokens: USUAL, sessionId });
      const seen = hasAll(block, mustSee);
      if (mustSee.length > 0) count(counts, "seen by whom it is for", seen);
      if (mustSee.length > 0 && !seen) miss("groups", row.id, by, where, q, mustSee, block);
      const shown = mustNotSee.filter((word) => has(block, word));
      if (mustNotSee.length > 0) count(counts, "shown to whom it is not for", shown.length > 0);
      if (shown.length > 0) miss("groups", row.id, by, where, q, "SHOWN", shown, block);
    }
  }
}

async function runProfile({ service, run, countsOf, miss }: Run, rows: Talk["profile"]): Promise<void> {
  await inParallel(rows, async ({ id, turns }) => {
    for (const [i, text] of turns.entries())
      await append(service, { userId: `${run}-${id}`, sessionId: `${run}-${id}-${i}`, daysAgo: 2 * (turns.length - i) }, [
        { text },
      ]);
  });
  await jobsDone(service, JOBS_TIMEOUT_MS);
  for (const row of rows) {
    const counts = countsOf(row);
    for (const { q, mustSee, mustNotSee } of row.asks) {
      const { block, lines } = await askContext(service, { userId: `${run}-${row.id}`, query: q, maxTokens: USUAL });
      const missing = mustSee.filter((word) => !has(block, word));
      count(counts, "all that is needed", missing.length === 0);
      for (const word of mustSee) count(counts, "each thing needed", !missing.includes(word));
      const stale = mustNotSee.filter((word) => has(block, word));
      if (mustNotSee.length > 0) count(counts, "a replaced value", stale.length > 0);
      if (missing.length > 0 || stale.length > 0) miss("profile", row.id, q, { missing, stale }, lines);
    }
  }
}

async function runChats({ service, run, countsOf, miss }: Run, rows: Talk["chats"]): Promise<void> {
  await sendChats({ service, run }, rows);
  for (const row of rows) {
    const counts = countsOf(row);
    const userId = `${run}-${row.id}`;
    for (const { q, needed } of row.asks) {
      const { lines } = await askContext(service, { userId, query: q, maxTokens: USUAL });
      const small = await askContext(service, { userId, query: q, maxTokens: SMALL });
      const isUseful = (line: string) => needed.some((words) => hasAll(line, words));
      if (needed.length === 0) {
        count(counts, "items for a question that needs none", lines.length);
        continue;
      }
      const present = needed.every((words) => lines.some((line) => hasAll(line, words)));
      const presentSmall = needed.every((words) => small.lines.some((line) => hasAll(line, words)));
      count(counts, "needed is in the block", present);
      count(counts, `needed is in the block of ${SMALL} tokens`, presentSmall);
      count(counts, "needed is first", lines[0] !== undefined && isUseful(lines[0]));
      for (const line of small.lines) count(counts, `items of no use at ${SMALL} tokens`, !isUseful(line));
      if (!present || lines[0] === undefined || !isUseful(lines[0])) miss("chats", row.id, { present }, q, needed, lines);
    }
  }
}

async function runPrecision({ service, run, countsOf, miss }: Run, rows: Talk["precision"]): Promise<void> {
  for (const row of rows) {
    const counts = countsOf(row);
    const userId = `${run}-${row.id}`;
    const ids = new Map<string, string>();
    for (const { id, text } of row.memories) {
      const stored = Stored.parse(await call(service, "POST", "/v1/memories", { userId, content: text }));
      ids.set((stored.memory ?? stored).id ?? "", id);
    }
    await jobsDone(service, JOBS_TIMEOUT_MS);
    for (const { q, needed } of row.questions) {
      const wanted = new Set(needed);
      const { hits } = Hits.parse(await call(service, "POST", "/v1/search", { userId, query: q, kinds: ["memory"], cut: true }));
      const context = await askContext(service, { userId, query: q, maxTokens: USUAL, kinds: ["memory"] });
      const ofContext = context.items.filter(({ part }) => part !== "profile").map(({ id }) => ids.get(id) ?? id);
      const searched = hits.map(({ id }) => ids.get(id) ?? id);
      for (const [place, found] of [
        ["search", searched],
        ["context", ofContext],
      ] as const) {
        const { precision, recall } = precisionAndRecall(wanted, found);
        count(counts, `${place}: precision`, precision);
        if (recall !== null) count(counts, `${place}: recall`, recall);
        if (precision < 1 || recall === 0) miss("precision", place, { precision, recall }, q, { needed, found });
      }
    }
  }
}

const Stored = z.object({ id: z.string().optional(), memory: z.object({ id: z.string().optional() }).optional() });
