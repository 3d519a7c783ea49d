/** How long the vectors of a model are, found by making one. */
export async function dimensionsOf(url: string, model: string, apiKey = ""): Promise<number> {
  const answer = await fetch(`${url}/embeddings`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(apiKey === "" ? {} : { authorization: `Bearer ${apiKey}` }) },
    body: JSON.stringify({ model, input: ["How long is a vector?"] }),
  });
  const { data }: { data?: { embedding: number[] }[] } = await answer.json();
  const length = data?.[0]?.embedding.length;
  if (length === undefined) throw new Error(`${url} made no vector with this model (status ${answer.status}).`);
  return length;
}
