/** The values of `[env.production]` that the set-up needs. */
export type ProductionNames = {
  bucket: string;
  database: string;
  queues: readonly string[];
  vectorIndex: string;
  dimensions: number;
};

/**
 * Vectorize filters only by properties that were indexed before the vectors were stored: all ten that it allows, those of `VectorMetadata`.
 */
export const METADATA_INDEXES = {
  kind: "string",
  space: "number",
  session: "number",
  project: "number",
  workspace: "string",
  scope: "string",
  type: "string",
  createdDay: "number",
  expiresDay: "number",
  model: "string",
} as const;

/**
 * The wrangler commands, in the order in which they must run: the bucket first, because R2 is the one product that has to be enabled by hand;
 * metadata indexes before the first vector.
 */
export function productionCommands(names: ProductionNames): string[][] {
  return [
    ["r2", "bucket", "create", names.bucket],
    ["d1", "create", names.database],
    ...names.queues.map((queue) => ["queues", "create", queue]),
    ["vectorize", "create", names.vectorIndex, `--dimensions=${names.dimensions}`, "--metric=cosine"],
    ...Object.entries(METADATA_INDEXES).map(([property, type]) => [
      "vectorize",
      "create-metadata-index",
      names.vectorIndex,
      `--property-name=${property}`,
      `--type=${type}`,
    ]),
  ];
}

/** Whether a command failed only because its resource exists already, so that the set-up may run twice. */
export function isThereAlready(output: string): boolean {
  return /already (?:exists|taken|in use)|duplicate|is already/i.test(output);
}
