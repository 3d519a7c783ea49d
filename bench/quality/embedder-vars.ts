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

/** How long the vectors of a model are, found by making one. */
async function dimensionsOf(url: string, model: string): Promise<number> {
  const body = JSON.stringify({ model, input: ["How long is a vector?"] });
  const answer = await fetch(`${url}/embeddings`, { method: "POST", headers: { "content-type": "application/json" }, body });
  const { data }: { data?: { embedding: number[] }[] } = await answer.json();
  const length = data?.[0]?.embedding.length;
  if (length === undefined) throw new Error(`${url} made no vector with this model (status ${answer.status}).`);
  return length;
}
