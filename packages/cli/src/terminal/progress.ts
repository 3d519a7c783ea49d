import { spinner } from "@clack/prompts";
import type { Host } from "#cli/host";

export type Progress = { say: (message: string) => void };

/** Shows on a terminal's standard error that something takes time; silent elsewhere. */
export async function withProgress<T>(
  host: Pick<Host, "stderr">,
  start: string,
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  if (host.stderr.isTTY !== true) return await work({ say: () => undefined });
  const shown = spinner({ output: host.stderr });
  shown.start(start);
  try {
    return await work({ say: (message) => shown.message(message) });
  } finally {
    shown.clear();
  }
}
