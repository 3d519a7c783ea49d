import type { ConversionBinding } from "#adapters/workers-ai-to-markdown";

/** By the list of developers.cloudflare.com/workers-ai/features/markdown-conversion, without the images. */
const CONVERTED = ["pdf", "docx", "xlsx", "xlsm", "xlsb", "xls", "et", "ods", "odt", "csv", "numbers", "html", "xml"];

export type Conversion = { name: string; bytes: number; type: string };

/** Simulates `env.AI.toMarkdown`: it decides by the name's extension, as the platform does. Errors are thrown, one a call. */
export class SimulatedToMarkdown implements ConversionBinding {
  readonly calls: Conversion[] = [];
  readonly #errors: Error[];

  constructor(errors: readonly Error[] = []) {
    this.#errors = [...errors];
  }

  async toMarkdown({ name, blob }: { name: string; blob: Blob }) {
    this.calls.push({ name, bytes: blob.size, type: blob.type });
    const error = this.#errors.shift();
    if (error !== undefined) throw error;
    if (blob.size === 0) return { format: "error" as const, error: "The file is empty" };
    const extension = name.slice(name.lastIndexOf(".") + 1);
    if (!CONVERTED.includes(extension)) return { format: "error" as const, error: "Unsupported file type" };
    return { format: "markdown" as const, data: `# A converted ${extension}\n\nIts text.`, tokens: 0, mimeType: blob.type };
  }
}
