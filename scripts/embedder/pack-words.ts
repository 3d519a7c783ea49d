import { type PackedWords, STEPS_AN_OCTAVE } from "../../src/core/static-words/static-words.ts";
import type { Rows } from "./teacher.ts";

const MOST = 7;
/** Values further out than so many standard deviations are cut: the others keep finer steps. */
const REACH = 2.6;

/** The vectors in half bytes, a scale for each token: see `PackedWords`. */
export function packWords(tokens: readonly string[], { values, dimensions }: Rows, from: string): PackedWords {
  const order = tokens.map((_, row) => row).sort((a, b) => ((tokens[a] ?? "") < (tokens[b] ?? "") ? -1 : 1));
  const wanted = order.map((row) => {
    const vector = values.subarray(row * dimensions, (row + 1) * dimensions);
    const deviation = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0) / dimensions);
    return Math.max(1e-9, (deviation * REACH) / MOST);
  });
  const step = Math.max(...wanted) / 2 ** (255 / STEPS_AN_OCTAVE);
  const scales = wanted.map((each) => Math.max(0, Math.round(Math.log2(each / step) * STEPS_AN_OCTAVE)));
  const codes = new Uint8Array((order.length * dimensions) / 2);
  for (const [place, row] of order.entries()) {
    const unit = step * 2 ** ((scales[place] ?? 0) / STEPS_AN_OCTAVE);
    for (let k = 0; k < dimensions; k++) {
      const code = Math.max(-MOST, Math.min(MOST, Math.round((values[row * dimensions + k] ?? 0) / unit)));
      const at = (place * dimensions + k) >> 1;
      codes[at] = (codes[at] ?? 0) | ((code & 15) << (k % 2 === 0 ? 0 : 4));
    }
  }
  return {
    from,
    dimensions,
    step,
    tokens: order.map((row) => tokens[row]).join(" "),
    scales: Buffer.from(scales).toString("base64"),
    codes: Buffer.from(codes).toString("base64"),
  };
}
