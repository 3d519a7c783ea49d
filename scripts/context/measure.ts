import { type Counts, count, hasAll, placeOfCurrent } from "../../bench/context/score.ts";
import { arrange, SMALL_BUDGET } from "../../src/domain/injection/arrange.ts";
import { readAsked } from "../../src/domain/injection/asked.ts";
import { limiting } from "../../src/domain/injection/profile-part.ts";
import type { ConsideredItem } from "../../src/domain/injection/schemas.ts";
import { type Candidate, writeBlock } from "../../src/domain/injection/write-block.ts";
import type { AskedTalk } from "./asked-talk.ts";

const USUAL = 1_000;
const SMALL = 450;
const LIMIT = 20;

/** Counts what `npm run bench:context` counts of a question, with the weights in force. */
export function measure(talk: AskedTalk, counts: Counts): void {
  const lines = linesOf(talk, USUAL);
  if (talk.part === "updates") {
    const { at, staleBefore } = placeOfCurrent(lines, talk);
    count(counts, "current in the block", at >= 0);
    count(counts, "current first", at === 0);
    count(counts, "stale before it", staleBefore);
    return;
  }
  const small = linesOf(talk, SMALL);
  const { needed } = talk;
  if (needed.length === 0) {
    count(counts, "items for none", lines.length);
    count(counts, `items for none at ${SMALL}`, small.length);
    return;
  }
  const isUseful = (line: string) => needed.some((words) => hasAll(line, words));
  const has = (block: readonly string[]) => needed.every((words) => block.some((line) => hasAll(line, words)));
  count(counts, "in", has(lines));
  count(counts, `in at ${SMALL}`, has(small));
  count(counts, "first", lines[0] !== undefined && isUseful(lines[0]));
  count(counts, "items", lines.length);
  for (const line of small) count(counts, `no use at ${SMALL}`, !isUseful(line));
}

function linesOf(talk: AskedTalk, maxTokens: number): string[] {
  const { items } = arrange({ ...talk, query: talk.question, maxTokens });
  const profile = maxTokens < SMALL_BUDGET ? limiting(talk.profile, readAsked(talk.question)) : talk.profile;
  const { text } = writeBlock(items.map(toCandidate), {
    ...{ maxTokens, limit: LIMIT, conversation: [] },
    profile: profile.map((item) => ({ ...toCandidate(item), section: "identity", limits: item.limits })),
  });
  return text.split("\n").filter((line) => line.startsWith("[M"));
}

function toCandidate(item: ConsideredItem): Candidate {
  const role = item.view.role === "assistant" ? "the assistant" : "the user";
  return { ...item, saidBy: { role }, notedBy: null, about: [], document: null, isOlder: item.behind !== null };
}
