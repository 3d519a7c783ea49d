import { describe, expect, it } from "vitest";
import type { EmbeddingPurpose } from "#ports/embedder";
import { cosine, embedderContract } from "#test/embedder-contract";
import { createLexicalEmbedder } from "./lexical-embedder.ts";

embedderContract("lexical", () => createLexicalEmbedder());
embedderContract("lexical, small", () => createLexicalEmbedder({ dimensions: 96 }));

const embedder = createLexicalEmbedder();

async function vectorOf(text: string, purpose: EmbeddingPurpose = "document"): Promise<Float32Array> {
  const [vector] = await embedder.embed([text], purpose);
  return vector ?? new Float32Array();
}

async function similarity(one: string, other: string): Promise<number> {
  return cosine(await vectorOf(one), await vectorOf(other));
}

describe("lexical embedder", () => {
  it("is honest about its nature and named after its size", () => {
    expect(embedder.nature).toBe("lexical");
    expect(embedder.model).toBe("lexical-1@512");
    expect(createLexicalEmbedder({ dimensions: 96 }).model).toBe("lexical-1@96");
  });

  it("treats questions and documents alike", async () => {
    expect(await vectorOf("dark mode", "query")).toEqual(await vectorOf("dark mode", "document"));
  });

  it.each([
    ["the dark theme", "dark themes", "loud music"],
    ["Kubernetes cluster", "kubernets clusters", "knitting circle"],
    ["I like hiking in the mountains", "a mountain hike", "in the office I like tea"],
    ["東京で寿司を食べた", "寿司", "犬と散歩する"],
    ["我对花生过敏", "花生", "下午开会"],
    ["Rechtsschutzversicherung", "Versicherung", "Versammlung"],
    ["день рождения Анны", "рождение", "расписание поездов"],
  ])("%s is nearer to %s than to %s", async (text, near, far) => {
    expect(await similarity(text, near)).toBeGreaterThan((await similarity(text, far)) + 0.05);
  });

  it("finds a word by its parts only because of its character grams", async () => {
    expect(await similarity("photosynthesis", "photosynthetic")).toBeGreaterThan(0.3);
    expect(Math.abs(await similarity("photosynthesis", "kettle"))).toBeLessThan(0.15);
  });

  it("lets words that say little weigh little", async () => {
    expect(await similarity("what is the password of the router", "where is the end of the queue")).toBeLessThan(0.2);
    expect(await similarity("the", "the")).toBeCloseTo(1, 4);
  });

  it("lets a word's tenth mention weigh less than nine more", async () => {
    const once = await similarity("tea coffee", "tea");
    const often = await similarity(`${"tea ".repeat(10)}coffee`, "tea");
    expect(often).toBeGreaterThan(once);
    expect(often).toBeLessThan(0.97);
  });

  it("points an empty text where other texts do not", async () => {
    expect(await similarity("", "...")).toBeCloseTo(1, 4);
    expect(Math.abs(await similarity("", "the password of the router is on the fridge"))).toBeLessThan(0.2);
  });

  it("compares texts exactly, where features that share a dimension falsify its vectors", async () => {
    const unlucky = "marmalade bq0x1221 cq0x1221 dq0x1221";
    const others = ["marmalade bq0x310 cq0x310 dq0x310", "marmalade", "jam of oranges", ""];
    const exact = embedder.similarities?.("marmalade", [unlucky, ...others]) ?? [];
    expect(await similarity("marmalade", unlucky)).toBeLessThan(0.1);
    expect(exact.map(({ cosine }) => Math.round(cosine * 10) / 10)).toEqual([0.4, 0.4, 1, 0, 0]);
  });

  it("keeps the places and weights of its features: whoever changes them gives the model another name", async () => {
    const vector = await vectorOf("dark mode");
    const fingerprint = vector.reduce((sum, value, place) => sum + value * (place + 1), 0);
    expect(fingerprint).toBeCloseTo(265, 2);
  });
});
