import { beforeAll, describe, expect, it } from "vitest";
import { createBuiltInEmbedder } from "#adapters/built-in-embedder";
import type { SearchView } from "#domain/retrieval";
import { makeProject, save, seek } from "#test/entity-requests";
import { createHarness, type Harness } from "#test/harness";

const MEMORIES = [
  "Allergic to penicillin",
  "Works as a freelance translator",
  "Plays the ukulele in a trio",
  "Die Katze heißt Mimi und schläft im Schrank",
  "Der Zahnarzt hat mittwochs geschlossen",
  "Invoice 2207 was paid on 4 June",
];

let h: Harness;
beforeAll(async () => {
  h = await createHarness({ replace: () => ({ embedder: createBuiltInEmbedder() }) });
  for (const content of MEMORIES) await h.fetch("POST", "/v1/memories", { body: { userId: "ana", content } });
  await makeProject(h, "garden", "ana", []);
  await save(h, { userId: "ana", projectId: "garden", type: "tool", name: "Kubernetes", notes: null });
  await h.settle();
});

async function firstFor(query: string): Promise<string | undefined> {
  const { json } = await h.fetch<SearchView>("POST", "/v1/search", { body: { userId: "ana", query, cut: true } });
  return json.hits[0]?.content;
}

describe("the built-in embedder in a search", () => {
  it.each([
    ["is there an antibiotic that must not be given", "Allergic to penicillin"],
    ["what is my profession", "Works as a freelance translator"],
    ["which instrument do I know", "Plays the ukulele in a trio"],
    ["Wie heißt meine Katze?", "Die Katze heißt Mimi und schläft im Schrank"],
    ["2207 and 2208, where do they stand", "Invoice 2207 was paid on 4 June"],
  ])("for %j puts %j first", async (query, first) => {
    expect(await firstFor(query)).toBe(first);
  });

  it.each(["How long does it take to boil an egg?", "Who invented the telephone?"])("for %j shows nothing", async (query) => {
    expect(await firstFor(query)).toBeUndefined();
  });

  it("finds a misspelt name of something whose type it knows", async () => {
    const { json } = await seek(h, "kubernettes", { userId: "ana", projectId: "garden" });
    expect(json).toMatchObject({ hits: [{ name: "Kubernetes" }] });
  });
});
