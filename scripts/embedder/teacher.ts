import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { createOpenAiEmbedder } from "#adapters/openai-embedder";
import { dimensionsOf } from "../dimensions-of.ts";

/** One unit vector for each text, side by side. */
export type Rows = { dimensions: number; values: Float32Array };

export type Teacher = (texts: readonly string[]) => Promise<Rows>;

const TEXTS_A_CALL = 512;

export type TeacherOptions = { url: string; model: string; cache: string | undefined };

/** The vectors of an OpenAI-compatible server. With `cache`, a folder, no list of texts is embedded twice. */
export async function createTeacher({ url, model, cache }: TeacherOptions): Promise<Teacher> {
  const dimensions = await dimensionsOf(url, model);
  const embedder = createOpenAiEmbedder({ url, model, dimensions, fetch: (input, init) => fetch(input, init) });
  return async (texts) => {
    const file = cache === undefined ? undefined : path.join(cache, `${digestOf([model, ...texts])}.f32`);
    if (file !== undefined && existsSync(file)) return { dimensions, values: floatsOf(await readFile(file)) };
    const values = new Float32Array(texts.length * dimensions);
    // Texts of about one length: servers pad those of a batch to the longest.
    const order = texts.map((_, i) => i).sort((a, b) => (texts[a] ?? "").length - (texts[b] ?? "").length || a - b);
    for (let at = 0; at < order.length; at += TEXTS_A_CALL) {
      const rows = order.slice(at, at + TEXTS_A_CALL);
      const vectors = await embedder.embed(
        rows.map((row) => texts[row] ?? ""),
        "document",
      );
      for (const [i, row] of rows.entries()) values.set(vectors[i] ?? [], row * dimensions);
      process.stderr.write(`\r${Math.min(at + TEXTS_A_CALL, order.length)} of ${order.length} texts embedded `);
    }
    process.stderr.write("\n");
    if (cache !== undefined && file !== undefined) {
      await mkdir(cache, { recursive: true });
      await writeFile(file, new Uint8Array(values.buffer));
    }
    return { dimensions, values };
  };
}

function digestOf(texts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(texts)).digest("hex").slice(0, 32);
}

function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.slice().buffer);
}
