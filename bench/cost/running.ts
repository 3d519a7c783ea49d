import { writeFile } from "node:fs/promises";
import path from "node:path";
import { startService } from "../../scripts/service.ts";
import { type EmbeddingsServer, startEmbeddingsServer } from "../../test/support/embeddings-server.ts";
import { type Background, listenToJobs } from "./background.ts";
import { DIMENSIONS } from "./prices.ts";

const MODEL = "@cf/qwen/qwen3-embedding-0.6b";
/** What the Workers AI adapter sends with a question, so that its tokens are counted. */
const QUERY_PREFIX = "Given a message in a conversation, retrieve memories and passages that help to answer it. ";

/** The model as rows name it whose vectors are stored. */
export const STORED_MODEL = `${MODEL}@${DIMENSIONS}`;

export type Running = { url: string; server: EmbeddingsServer; background: Background };

/** The service on a state folder, with an embedder that counts its calls; cron fires on command. */
export async function startOn(state: string, key: string): Promise<Running & { stop: () => Promise<void> }> {
  const keyFile = path.join(state, "dev-key");
  await writeFile(keyFile, key);
  const server = await startEmbeddingsServer({ dimensions: DIMENSIONS });
  const background = listenToJobs();
  const vars = {
    EMBEDDER: "openai",
    EMBEDDINGS_URL: server.url,
    EMBEDDING_MODEL: MODEL,
    EMBEDDING_DIMENSIONS: String(DIMENSIONS),
    EMBEDDING_QUERY_PREFIX: QUERY_PREFIX,
  };
  try {
    const service = await startService({ persistTo: state, keyFile, vars, onLine: background.onLine, cron: false });
    const stop = async () => {
      await service.stop();
      await server.close();
    };
    return { url: service.url, server, background, stop };
  } catch (error) {
    await server.close();
    throw error;
  }
}
