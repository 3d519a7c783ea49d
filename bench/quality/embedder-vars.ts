import { dimensionsOf } from "../../scripts/dimensions-of.ts";

/** The options by which a benchmark chooses an OpenAI-compatible embedder. */
export type EmbedderChoice = {
  "embeddings-url"?: string | undefined;
  model?: string | undefined;
  dimensions?: string | undefined;
};

/** The service's variables for an embedder; none for the built-in one. */
export async function embedderVars(choice: EmbedderChoice): Promise<Record<string, string>> {
  const url = choice["embeddings-url"];
  if (url === undefined) return {};
  return {
    EMBEDDER: "openai",
    EMBEDDINGS_URL: url,
    EMBEDDING_MODEL: choice.model ?? "",
    EMBEDDING_DIMENSIONS: choice.dimensions ?? String(await dimensionsOf(url, choice.model ?? "")),
  };
}
