import { inTime } from "#core/in-time";
import type { ToMarkdown } from "#ports/to-markdown";
import { type Pause, retryPassing } from "./calls.ts";
import { failureOf } from "./workers-ai-failure.ts";

/** What the platform converts and the readers do not read (supported formats of April 2026). Pictures are described by two models. */
const CONVERTED = new Set("xlsx xlsm xlsb xls et ods odt numbers jpeg jpg png webp".split(" "));
/** Half of a job's lease. */
const TIMEOUT_MS = 60_000;

/** The part of `env.AI` that is used: `Ai` fits it. */
export type ConversionBinding = {
  toMarkdown(file: { name: string; blob: Blob }): Promise<{ format: "markdown" | "text"; data: string } | { format: "error" }>;
};

export type WorkersAiToMarkdownOptions = { ai: ConversionBinding; timeoutMs?: number; pause?: Pause };

/**
 * Conversion by Workers AI. Cloudflare sees the file. The file's name decides how it is read, so only its extension is sent.
 * See developers.cloudflare.com/workers-ai/features/markdown-conversion
 */
export function createWorkersAiToMarkdown({ ai, timeoutMs = TIMEOUT_MS, pause }: WorkersAiToMarkdownOptions): ToMarkdown {
  return {
    async convert({ bytes, extension, mediaType }) {
      if (!CONVERTED.has(extension)) return null;
      const file = { name: `document.${extension}`, blob: new Blob([bytes], { type: mediaType }) };
      const reply = await retryPassing(async () => {
        const outcome = await inTime(ai.toMarkdown(file), timeoutMs);
        if (outcome.ok) return outcome.value;
        throw failureOf(outcome.reason === "timeout" ? TIMEOUT : outcome.error, CALL);
      }, pause);
      return reply.format === "error" ? null : reply.data;
    },
  };
}

const TIMEOUT = new DOMException("", "TimeoutError");
const CALL = { model: "Markdown conversion", variable: "TO_MARKDOWN" };
