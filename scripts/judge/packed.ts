import type { PackedModel } from "#core/linear/model";

/** A table of weights, the last of them the bias, as signed bytes. */
export function packed(weights: Float32Array): PackedModel {
  const bias = weights.at(-1) ?? 0;
  const table = weights.subarray(0, -1);
  const scale = table.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127;
  const bytes = Int8Array.from(table, (weight) => Math.round(weight / scale));
  return {
    weights: Buffer.from(bytes.buffer).toString("base64"),
    scale: Number(scale.toPrecision(6)),
    bias: Number(bias.toPrecision(6)),
  };
}
