/** Converts documents of kinds that the readers do not read, such as spreadsheets. */
export interface ToMarkdown {
  /**
   * The document as Markdown; null if the converter does not read it. `extension` is that of its name, without the dot.
   * @throws upstream_failed if the converter did not answer
   */
  convert(document: { bytes: Uint8Array; extension: string; mediaType: string }): Promise<string | null>;
}
