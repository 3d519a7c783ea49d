import { describe, expect, it } from "vitest";
import { cosine, embedderContract } from "#test/embedder-contract";
import { createBuiltInEmbedder } from "./built-in-embedder.ts";

embedderContract("built-in", () => createBuiltInEmbedder());

const embedder = createBuiltInEmbedder();

async function similarity(one: string, other: string): Promise<number> {
  const [a = new Float32Array(), b = new Float32Array()] = await embedder.embed([one, other], "document");
  return cosine(a, b);
}

describe("built-in embedder", () => {
  it("is named after its size, and its vectors mean something", () => {
    expect(embedder.nature).toBe("static");
    expect(embedder.model).toBe("built-in-1@640");
  });

  it.each([
    ["is there an antibiotic that I must not be given", "Allergic to penicillin", "Plays the ukulele in a trio"],
    ["how do I earn my money", "Works as a freelance translator", "Her sister gets married in Porto"],
    ["what pets do we have", "We got a kitten and two rabbits", "The boiler is serviced every May"],
    ["which instrument do I play", "Takes cello lessons on Thursdays", "Cannot digest lactose"],
  ])("%s is nearer to %s than to %s, and shares no word with it", async (text, near, far) => {
    expect(await similarity(text, near)).toBeGreaterThan((await similarity(text, far)) + 0.1);
  });

  it.each([
    ["東京で寿司を食べた", "寿司", "犬と散歩する"],
    ["我对花生过敏", "花生", "下午开会"],
    ["Rechtsschutzversicherung", "Versicherung", "Versammlung"],
    ["день рождения Анны", "рождение", "расписание поездов"],
    ["invoice 2207", "when was 2207 paid", "when was 2211 paid"],
    ["dinner with Ottilie", "who is Ottilie", "who is Griet"],
    ["my migrane tablets", "the migraine clinic", "the music clinic"],
  ])("without a word that it knows, %s is nearer to %s than to %s by its letters", async (text, near, far) => {
    expect(await similarity(text, near)).toBeGreaterThan((await similarity(text, far)) + 0.05);
  });

  it.each([
    ["what did I promise the neighbour upstairs", "static"],
    ["how do I earn my money", "static"],
    ["2207 and 2208, where do they stand", "lexical"],
    ["wann habe ich den nächsten Termin beim Zahnarzt", "lexical"],
    ["¿qué harina usamos para el pastel del niño?", "lexical"],
    ["qu'est-ce que je dois éviter quand Maxence vient manger", "lexical"],
    ["我什么时候去看牙", "lexical"],
    ["", "lexical"],
  ])("reads the question %j as %s", (query, nature) => {
    expect(embedder.readingOf?.(query).nature).toBe(nature);
  });

  it("lets the words that it does not know weigh more, the more of them there are", async () => {
    expect(await similarity("Zorblax Quimvar Vextor paid", "Zorblax Quimvar Vextor laughed")).toBeGreaterThan(0.6);
    expect(await similarity("Zorblax paid the plumber", "Zorblax laughed at a film")).toBeLessThan(0.5);
  });

  it("estimates that a misspelt name is like the name, whatever known words stand beside it", async () => {
    const { estimateFloor = 1 } = embedder.readingOf?.("kubernettes") ?? {};
    expect(await similarity("kubernettes", "Kubernetes tool")).toBeGreaterThan(estimateFloor);
    expect(await similarity("kubernettes", "Postgres tool")).toBeLessThan(estimateFloor);
  });

  it("compares texts as its vectors do, and says how much of the words they contain", async () => {
    const [near, far] = embedder.similarities?.("sick dog", ["a sick dog and a healthy cat", "the price of bread"]) ?? [];
    expect(near?.cosine).toBeCloseTo(await similarity("sick dog", "a sick dog and a healthy cat"), 4);
    expect(near?.contained).toBeCloseTo(1, 1);
    expect(far?.cosine).toBeCloseTo(await similarity("sick dog", "the price of bread"), 4);
    expect(far?.contained).toBeLessThan(0.2);
  });

  it("points an empty text where other texts do not", async () => {
    expect(await similarity("", "...")).toBeCloseTo(1, 4);
    expect(Math.abs(await similarity("", "the password of the router is on the fridge"))).toBeLessThan(0.2);
  });
});
