import { isRecord } from "#core/is-record";

/** A text with something in it, or null: exports hold null, empty texts and other types in any place. */
export function textOf(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value : null;
}

export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) && !Array.isArray(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Texts on paragraphs of their own. */
export function joined(texts: readonly string[]): string {
  return texts.map((text) => text.trim()).join("\n\n");
}
