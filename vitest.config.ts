import path from "node:path";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig, type ViteUserConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const migrations = await readD1Migrations(path.join(import.meta.dirname, "migrations"));

/** No test may fail because the machine does other work beside. */
const patient = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 60_000 } } };

/** Tests run the source of the packages; test/e2e installs what is published. */
const alias = Object.fromEntries(
  ["client", "ai-sdk", "langgraph"].map((name) => [
    `@edgewise/${name}`,
    path.join(import.meta.dirname, "packages", name, "src", "index.ts"),
  ]),
);

/**
 * One project after the other, each with its largest files first. "patterns" comes last but one: what it counts for a minute keeps one core busy
 * while the runtimes of "workerd" start, for which vitest transforms all modules on another.
 */
const PROJECTS = ["browser", "e2e", "pure", "patterns", "workerd"];

class ProjectSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project }: TestSpecification) => PROJECTS.indexOf(project.name);
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

/** What needs workerd. Its settings are said here too, because a developer's own .dev.vars would win over wrangler.toml. */
export const workerd = {
  plugins: [
    cloudflareTest({
      main: "./src/worker.ts",
      remoteBindings: false,
      wrangler: { configPath: "./wrangler.toml" },
      miniflare: {
        bindings: {
          TEST_MIGRATIONS: migrations,
          EMBEDDER: "lexical",
          VECTOR_INDEX: "object",
          CHAT: "none",
          ENCRYPTION_KEY: "a secret of tests, long enough for any of them",
        },
        queueConsumers: {
          "edgewise-jobs": {
            maxBatchSize: 25,
            maxBatchTimeout: 0.05,
            maxRetries: 3,
            deadLetterQueue: "edgewise-jobs-dead",
          },
          "edgewise-jobs-dead": { maxBatchSize: 25, maxBatchTimeout: 0.05, maxRetries: 3 },
        },
      },
    }),
  ],
  resolve: { alias },
  test: {
    name: "workerd",
    include: ["test/**/*.test.ts"],
    exclude: ["test/browser/**", "test/e2e/**", "test/patterns/**"],
    // A runtime takes seconds to start: files share one, and begin with empty storage.
    isolate: false,
    setupFiles: ["./test/support/empty-storage.ts"],
    globalSetup: ["./test/support/serve-chat.ts", "./test/support/serve-keys.ts"],
    ...patient,
  },
} satisfies ViteUserConfig;

/**
 * Location decides the runtime: `src/`, `bench/`, `scripts/` and `test/patterns` run in Node, `test/e2e` and the `test` folders of packages in
 * Node against a whole service, `test/browser` in Node with a Chromium in addition, the rest of `test/` in workerd.
 */
export default defineConfig({
  test: {
    // One more than the two cores of a small machine: a test waits a fifth of its time, for a service that starts or for the database.
    maxWorkers: 3,
    sequence: { sequencer: ProjectSequencer },
    projects: [
      {
        resolve: { alias },
        test: {
          name: "pure",
          include: ["src/**/*.test.ts", "packages/*/src/**/*.test.ts", "bench/**/*.test.ts", "scripts/**/*.test.ts"],
          environment: "node",
          isolate: false,
          ...patient,
        },
      },
      {
        // Apart from the pure tests, because counting steps of every regular expression takes as long as all of them.
        test: {
          name: "patterns",
          include: ["test/patterns/**/*.test.ts"],
          environment: "node",
          ...patient,
        },
      },
      workerd,
      {
        resolve: { alias },
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts", "packages/*/test/**/*.test.ts"],
          environment: "node",
          globalSetup: ["./test/support/prepare-state.ts"],
          ...patient,
        },
      },
      {
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          environment: "node",
          globalSetup: ["./test/support/prepare-state.ts"],
          ...patient,
        },
      },
    ],
  },
});
