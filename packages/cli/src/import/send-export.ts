import type { Edgewise, Input } from "@edgewise/client";
import { usageError } from "#cli/exit-code";
import type { ExportFile } from "./export-file.ts";
import { BrokenJson, readItems } from "./json-items.ts";
import { activityParts, conversationParts, type Part, projectParts, type Refused } from "./parts.ts";
import { isMessage, type Platform, platformOf } from "./platform.ts";
import type { ExportEntry } from "./zip-entries.ts";

export type Progress = { bytes: number; conversations: number; messages: number };

/** Where a file ended early. */
export type Break = { entry: string; position: number };

type Sent = { refused: Refused[]; broken: Break[] };

/** Items that are looked at to know what the export is of. */
const LOOKED_AT = 20;
/** A part is processed before it is answered. */
const CALL = { timeoutMs: 300_000, maxRetries: 6 } as const;

/** The platform of an export, by what is in its first file. */
export async function recognise(file: ExportFile): Promise<Platform> {
  let looked = 0;
  for (const entry of file.conversations) {
    const stream = await entry.open();
    try {
      for await (const item of readItems(stream, () => undefined)) {
        const platform = platformOf(item);
        if (platform !== null) return platform;
        looked += 1;
        if (looked >= LOOKED_AT) break;
      }
    } catch (error) {
      // The import itself reports where it broke.
      if (!(error instanceof BrokenJson)) throw error;
    } finally {
      stream.destroy();
    }
  }
  throw usageError(
    looked === 0
      ? "The file holds no conversation that can be read: it is empty or cut off, so there is nothing to import."
      : "This is JSON, but not of an export that is known: conversations of ChatGPT or Claude, Gemini's My Activity, or arrays of messages with role and content.",
  );
}

type Sending = {
  edgewise: Edgewise;
  importId: string;
  platform: Platform;
  place: { userId?: string };
  onProgress: (progress: Progress) => void;
};

/** Sends an export part by part: while the service works on one, the next is read. */
export async function sendExport(file: ExportFile, sending: Sending): Promise<Sent> {
  const sent: Sent = { refused: [], broken: [] };
  const progress: Progress = { bytes: 0, conversations: 0, messages: 0 };
  let pending: Promise<void> = Promise.resolve();
  const items = (entries: readonly ExportEntry[]) => itemsOf(entries, { progress, sent });
  const { platform } = sending;
  const conversations = items(file.conversations);
  const parts =
    platform === "gemini" ? activityParts(conversations) : conversationParts(platform, asOne(platform, conversations));
  for (const source of [parts, projectParts(items(platform === "claude" ? file.projects : []))]) {
    for await (const filled of source) {
      if ("refused" in filled) {
        sent.refused.push(filled.refused);
        continue;
      }
      await pending;
      pending = sendPart(filled.part, sending).then((counts) => {
        progress.conversations += counts.conversations;
        progress.messages += counts.messages;
        sending.onProgress(progress);
      });
      // It is awaited before the next one, and its error is thrown there.
      pending.catch(() => undefined);
    }
  }
  await pending;
  return sent;
}

async function sendPart(
  part: Part,
  { edgewise, importId, place }: Sending,
): Promise<{ conversations: number; messages: number }> {
  const { kind: _, ...fields } = part;
  const input: Input<"imports.addPart"> = { importId, ...place, ...fields };
  const answer = await edgewise.imports.addPart(input, CALL);
  const stored = answer.items.filter(({ outcome }) => outcome !== "skipped");
  return {
    conversations: stored.length,
    messages: stored.reduce((sum, { messages = 0, messagesKnown = 0 }) => sum + messages + messagesKnown, 0),
  };
}

async function* itemsOf(
  entries: readonly ExportEntry[],
  { progress, sent }: { progress: Progress; sent: Sent },
): AsyncGenerator<unknown> {
  for (const entry of entries) {
    const count = (bytes: number) => {
      progress.bytes += bytes;
    };
    try {
      yield* readItems(await entry.open(), count);
    } catch (error) {
      if (!(error instanceof BrokenJson)) throw error;
      sent.broken.push({ entry: entry.name, position: error.position });
    }
  }
}

/** Messages that follow each other are one conversation: the whole file, or the first of its lines. */
async function* asOne(platform: Platform, items: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  const messages: unknown[] = [];
  for await (const item of items) {
    if (platform === "openai" && isMessage(item)) {
      messages.push(item);
      continue;
    }
    if (messages.length > 0) yield messages.splice(0);
    yield item;
  }
  if (messages.length > 0) yield messages;
}
