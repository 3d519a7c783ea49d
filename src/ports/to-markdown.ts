/** Converts documents of kinds that the readers do not read, such as presentations. */
export interface ToMarkdown {
  /**
   * The document as Markdown; null if the converter does not read this kind.
   * @throws upstream_failed if it did not answer
   */
  convert(file: { bytes: Uint8Array; path: string; mediaType: string }): Promise<string | null>;
}
