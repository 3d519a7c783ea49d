import { expect, it } from "vitest";
import type { VectorMetadata } from "#ports/vector-index";
import { isThereAlready, METADATA_INDEXES, productionCommands } from "./production-commands.ts";

const NAMES = { bucket: "files", database: "db", queues: ["jobs", "jobs-dead"], vectorIndex: "vec", dimensions: 1024 };

it("makes the bucket first, and the index, then a metadata index for everything that a vector may be filtered by, ten at most", () => {
  const commands = productionCommands(NAMES);
  const lines = commands.map((command) => command.join(" "));
  expect(lines[0]).toBe("r2 bucket create files");
  expect(lines).toContain("d1 create db");
  expect(lines).toContain("queues create jobs-dead");
  expect(lines.indexOf("vectorize create vec --dimensions=1024 --metric=cosine")).toBe(4);
  const every: Record<keyof VectorMetadata, string> = METADATA_INDEXES;
  expect(lines.slice(5)).toEqual(
    Object.entries(every).map(([name, type]) => `vectorize create-metadata-index vec --property-name=${name} --type=${type}`),
  );
  expect(lines.slice(5).length).toBeLessThanOrEqual(10);
});

it.each(["A database with that name already exists [code: 7502]", "Queue name 'jobs' is already taken"])(
  "may run twice: %s",
  (output) => {
    expect(isThereAlready(output)).toBe(true);
  },
);

it("does not take another failure for success", () => {
  expect(isThereAlready("Authentication error [code: 10000]")).toBe(false);
});
