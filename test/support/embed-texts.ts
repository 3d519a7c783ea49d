import { createLexicalEmbedder } from "#adapters/lexical-embedder";
import { complaint } from "#test/chat-wire";

type Body = { model?: unknown; input?: unknown; encoding_format?: unknown; dimensions?: unknown };

const DIMENSIONS = 64;

/** Answers `POST /v1/embeddings` with lexical vectors, as numbers or as base64 of 32-bit floats. */
export async function embed({
  model,
  input,
  encoding_format = "float",
  dimensions = DIMENSIONS,
}: Body): Promise<[number, unknown]> {
  const inputs: unknown[] = Array.isArray(input) && typeof input[0] !== "number" ? input : [input];
  if (typeof model !== "string" || typeof dimensions !== "number" || inputs.some((each) => each === undefined || each === ""))
    return [400, complaint("model and input are required")];
  const embedder = createLexicalEmbedder({ dimensions });
  const vectors = await embedder.embed(inputs.map(String), "document");
  const data = vectors.map((vector, index) => ({
    object: "embedding",
    index,
    embedding: encoding_format === "base64" ? Buffer.from(Float32Array.from(vector).buffer).toString("base64") : [...vector],
  }));
  return [200, { object: "list", model, data, usage: { prompt_tokens: inputs.length, total_tokens: inputs.length } }];
}
