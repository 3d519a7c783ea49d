import { createOpenAiChat } from "#adapters/openai-chat";
import type { Services } from "#context";
import type { JobView } from "#domain/jobs";
import { work } from "#domain/lifecycle";
import { chatChannel, type RemoteChannel } from "#test/chat-channel";
import type { Harness } from "#test/harness";
import { jobsOf, nth, rows } from "./requests.ts";

/** A chat model that asks the test's own channel, and does not wait before it asks again. */
export function modelAt(channel: RemoteChannel): Services["chatModel"] {
  return createOpenAiChat({
    url: channel.url,
    model: "echo",
    fetch: (input, init) => fetch(input, init),
    timeoutMs: 300,
    pause: async () => undefined,
  });
}

export { chatChannel };

/** A memory as a model writes it. */
export function memory(content: string, rest: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    type: "knowledge",
    content,
    confidence: 0.99,
    sensitivity: "public",
    portable: true,
    subjects: ["speaker"],
    key: null,
    replaces: [],
    quote: content,
    ...rest,
  };
}

/** A model's whole answer. */
export function said(memories: readonly unknown[], rest: Record<string, unknown> = {}): string {
  return JSON.stringify({ memories, people: [], entities: [], ...rest });
}

/** A threshold that what a model says reaches (see `memory`), and nothing that the rules or the judge take. */
export const MODEL_ALONE = { extraction: "model", extractionThreshold: 0.97 };

export async function settings(h: Harness, change: Record<string, unknown>): Promise<void> {
  const { status, text } = await h.fetch("PATCH", "/v1/settings", { body: change });
  if (status !== 200) throw new Error(text);
}

export type MemoryRow = {
  public_id: string;
  content: string;
  type: string;
  key: string;
  owner_id: number | null;
  session_id: number | null;
  space_id: number;
  tenant_id: number;
  scope_type: string | null;
  scope_id: string | null;
  sensitivity: string | null;
  portable: number;
  status: string;
  learned_in: number | null;
  episode_id: number | null;
  valid_from: number;
  expires_at: number | null;
  seen_count: number;
  superseded_by: number | null;
  contradicts: number | null;
  metadata: string;
};

export async function memoriesOf(h: Harness): Promise<MemoryRow[]> {
  return await rows<MemoryRow>("select * from memories where tenant_id = ? and deleted_at is null order by id", h.tenantId);
}

/** The newest job of a kind. */
export async function jobOf(h: Harness, kind = "episodes.index"): Promise<JobView> {
  const jobs = await jobsOf(h);
  return nth(
    jobs.filter((job) => job.kind === kind),
    0,
  );
}

/** Runs what is due, as often as there is something, and lets jobs fail. */
export async function runDue(h: Harness): Promise<void> {
  for (let round = 0; round < 20; round += 1) {
    const due = await rows<{ tenantId: number; jobId: string }>(
      "select tenant_id as tenantId, id as jobId from jobs where tenant_id = ? and status = 'pending' and due_at <= ?",
      h.tenantId,
      Date.now(),
    );
    if (due.length === 0) return;
    await work(h.services(), due);
  }
}
