import { between, COMMON_WORDS, chatText, type Random, randomOf } from "./chat-text.ts";
import type { Request } from "./client.ts";
import { knowledgeOperationsOf } from "./knowledge-operations.ts";
import { COMMON_NAMES, type MemoryViewer } from "./memory-world.ts";
import type { Operation } from "./operations.ts";
import { QUESTIONS, questions } from "./questions.ts";

const PAGE = 20;
const BULK = 100;
const BULK_CALLS = 5;

/** The measured operations of a viewer of memories, reads first. Later operations repeat, change and forget what earlier ones write. */
export function memoryOperationsOf(viewer: MemoryViewer): Operation[] {
  return [
    ...reads(viewer),
    ...searches(viewer),
    ...knowledgeOperationsOf(viewer),
    ...writes(viewer),
    ...reviews(viewer),
    ...changes(viewer),
  ];
}

function reads({ user, remembered, changed, acquaintance }: MemoryViewer): Operation[] {
  const get = (path: string, query: Record<string, string | number | boolean> = {}): Request => {
    const asked = new URLSearchParams(Object.entries({ userId: user, ...query }).map(([name, value]) => [name, String(value)]));
    return { method: "GET", path: `${path}?${asked}` };
  };
  const page = (query: Record<string, string>): Request => get("/v1/memories", { limit: PAGE, stats: false, ...query });
  const word = (i: number) => COMMON_WORDS[i] ?? "";
  return [
    operation("get one memory", (i) => get(`/v1/memories/${remembered[i]}`)),
    operation("list page (20)", () => page({})),
    operation("list page (20), counting all", () => get("/v1/memories", { limit: PAGE, stats: true })),
    operation("list page (20) about a person", () => page({ person: acquaintance.publicId })),
    operation("list page (20) with a word", (i) => page({ text: word(i) })),
    operation("history of a memory, two versions", (i) => get(`/v1/memories/${changed[i]}/history`)),
    operation("review list page (20)", () => get("/v1/memories/review", { limit: PAGE })),
  ];
}

function searches({ user, acquaintance, end }: MemoryViewer): Operation[] {
  const search = (name: string, asked: string[], fields: object = {}): Operation => ({
    name,
    embeds: true,
    requests: asked.map((query) => searchRequest(user, query, fields)),
  });
  const named = (name: string) => questions((a, b) => `What does ${name} say about the ${a} or the ${b}${end}`);
  return [
    search(
      "search episodes and memories",
      questions((a, b, c) => `Is there a ${a} or a ${b} at the ${c}${end}`),
    ),
    search(
      "search memories",
      questions((a, b, c) => `Has the ${a} or the ${b} a ${c}${end}`),
      { kinds: ["memory"] },
    ),
    search(
      "search memories, recent",
      questions((a, b, c) => `Any ${a}, any ${b}, any ${c}${end}`),
      { kinds: ["memory"], strategy: "recent" },
    ),
    search("search naming a person", named(acquaintance.name)),
    search("search naming a person of a common name", named(COMMON_NAMES[0] ?? "")),
    search(
      "what do you know about me?",
      times(QUESTIONS, (i) => `What do you know about me${end}${" …".repeat(i)}`),
    ),
  ];
}

export function searchRequest(user: string, query: string, fields: object = {}): Request {
  return { method: "POST", path: "/v1/search", body: { query, userId: user, explain: true, ...fields } };
}

function writes({ user, acquaintance }: MemoryViewer): Operation[] {
  const random = randomOf(17);
  const remember = (body: object): Request => ({ method: "POST", path: "/v1/memories", body: { userId: user, ...body } });
  const made = times(QUESTIONS, () => ({ content: sentence(random), subjects: [acquaintance.publicId] }));
  const keyed = (i: number) => ({ content: sentence(random), subjects: [acquaintance.publicId], key: `measured-${i}` });
  return [
    { name: "add a memory about a person", embeds: false, requests: made.map(remember) },
    { name: "say it again", embeds: false, requests: made.map(remember) },
    operation("add a memory by key", (i) => remember(keyed(i))),
    operation("change a memory by key", (i) => remember(keyed(i))),
    operation(
      "add 100 memories",
      () => remember({ memories: times(BULK, () => ({ content: sentence(random), subjects: [acquaintance.publicId] })) }),
      BULK_CALLS,
    ),
  ];
}

function reviews({ user, pending }: MemoryViewer): Operation[] {
  return [
    operation("approve a memory", (i) => ({
      method: "POST",
      path: `/v1/memories/${pending[i]}/approve`,
      body: { userId: user },
    })),
  ];
}

function changes({ user, remembered }: MemoryViewer): Operation[] {
  const random = randomOf(19);
  const one = (i: number) => `/v1/memories/${remembered[i]}?userId=${user}`;
  return [
    operation("revise a memory's words", (i) => ({ method: "PATCH", path: one(i), body: { content: sentence(random) } })),
    operation("forget a memory", (i) => ({ method: "DELETE", path: one(i) })),
  ];
}

function sentence(random: Random): string {
  return chatText(random, between(random, 8, 20));
}

function operation(name: string, make: (i: number) => Request, calls: number = QUESTIONS): Operation {
  return { name, requests: times(calls, make), embeds: false };
}

function times<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

const UPKEEP_CALLS = 5;

/** A manual run of all upkeep tasks for the tenant. Each continues where the previous one ended. */
export const UPKEEP: Operation = operation(
  "upkeep of the tenant, one run",
  () => ({ method: "POST", path: "/v1/lifecycle", body: {} }),
  UPKEEP_CALLS,
);
