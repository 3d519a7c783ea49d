import { describe, expect, it } from "vitest";
import type { Embedder } from "#ports/embedder";

const TEXTS = [
  "I prefer the dark theme in my editor",
  "the meeting moved to Thursday afternoon",
  "東京で寿司を食べました",
  "аллергия на орехи",
  "🙂",
  "a",
  "x".repeat(5_000),
];

/** The contract of every embedder. `create` makes one whose vectors distinguish texts with shared words from texts without. */
export function embedderContract(name: string, create: () => Promise<Embedder> | Embedder): void {
  describe(`embedder: ${name}`, () => {
    it("names its space after its model and its dimensions", async () => {
      const embedder = await create();
      expect(embedder.model).toMatch(new RegExp(`^.+@${embedder.dimensions}$`));
      expect(["lexical", "static", "semantic"]).toContain(embedder.nature);
    });

    it.each(["document", "query"] as const)(
      "answers one unit vector of its dimensions for each text of a %s",
      async (purpose) => {
        const embedder = await create();
        const vectors = await embedder.embed(TEXTS, purpose);
        expect(vectors).toHaveLength(TEXTS.length);
        for (const vector of vectors) {
          expect(vector).toBeInstanceOf(Float32Array);
          expect(vector).toHaveLength(embedder.dimensions);
          expect(cosine(vector, vector)).toBeCloseTo(1, 4);
        }
      },
    );

    it("answers in the order of the texts, however many there are", async () => {
      const embedder = await create();
      const texts = Array.from({ length: 333 }, (_, i) => `note number${i} about topic${i * 7}`);
      const vectors = await embedder.embed(texts, "document");
      expect(vectors).toHaveLength(texts.length);
      for (const position of [0, 31, 32, 99, 100, 250, 332]) {
        const [alone] = await embedder.embed(texts.slice(position, position + 1), "document");
        expect(vectors[position]).toEqual(alone);
      }
    });

    it("says the same of the same text", async () => {
      const embedder = await create();
      expect(await embedder.embed(TEXTS, "document")).toEqual(await embedder.embed(TEXTS, "document"));
    });

    it("answers nothing for nothing", async () => {
      const embedder = await create();
      expect(await embedder.embed([], "document")).toEqual([]);
      expect(await embedder.embed([], "query")).toEqual([]);
    });

    it.each(["", " ", "\n\t", "...", "\u0000"])("has a direction even for %j", async (text) => {
      const embedder = await create();
      for (const vector of await embedder.embed([text, "words", text], "query")) expect(cosine(vector, vector)).toBeCloseTo(1, 4);
    });

    it("brings a question near to the document that answers it", async () => {
      const embedder = await create();
      const documents = await embedder.embed(TEXTS.slice(0, 4), "document");
      const [question = new Float32Array()] = await embedder.embed(["which theme for the editor?"], "query");
      const scores = documents.map((document) => cosine(document, question));
      expect(scores.indexOf(Math.max(...scores))).toBe(0);
    });
  });
}

export function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}
