import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "edgewise-ci-"));
  mkdirSync(path.join(folder, ".ci"));
  copyFileSync(path.join(import.meta.dirname, "..", ".ci", "run"), path.join(folder, ".ci", "run"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `.ci/run` with an `npm` whose `npm test` writes this report, or none, and ends with `status`; with `eatmydata` or without. */
function run(report: string | null, status: number, eatmydata = true): { status: number | null; last: string | undefined } {
  const command = (name: string, script: string) => {
    writeFileSync(path.join(folder, name), `#!/usr/bin/env bash\n${script}\n`);
    chmodSync(path.join(folder, name), 0o755);
  };
  const write = report === null ? "" : `last="\${@: -1}"; printf "%s" "$REPORT" > "\${last#--outputFile.json=}"`;
  command("npm", `[ "$1" = test ] || exit 0\n${write}\nexit ${status}`);
  // On a machine without them, the script would install them.
  command("chromium", "exit 0");
  command("apt-get", "exit 1");
  if (eatmydata) command("eatmydata", `echo "$*" > '${folder}/unsynced'; exec "$@"`);
  command("npx", `shift 2; exec '${process.execPath}' "$@"`);
  const { status: ended, stdout } = spawnSync("bash", [path.join(folder, ".ci", "run")], {
    cwd: folder,
    env: { ...process.env, PATH: `${folder}:${process.env.PATH}`, REPORT: report ?? "" },
    encoding: "utf8",
  });
  return { status: ended, last: stdout.trimEnd().split("\n").at(-1) };
}

const summary = (passed: number, failed: number) => JSON.stringify({ numPassedTests: passed, numFailedTests: failed });

it("reports how many tests passed and failed, and exits accordingly", () => {
  expect(run(summary(7, 0), 0)).toEqual({ status: 0, last: "7 passed, 0 failed" });
  expect(run(summary(5, 2), 1)).toEqual({ status: 1, last: "5 passed, 2 failed" });
  expect(run(summary(7, 0), 1)).toEqual({ status: 1, last: "7 passed, 1 failed" });
});

it("fails without a report, whatever the tests ended with", () => {
  for (const status of [0, 1]) expect(run(null, status)).toEqual({ status: 1, last: "0 passed, 1 failed" });
});

it("runs the tests without fsync, or with it where eatmydata cannot be installed", () => {
  expect(run(summary(7, 0), 0, false)).toEqual({ status: 0, last: "7 passed, 0 failed" });
  expect(run(summary(7, 0), 0)).toEqual({ status: 0, last: "7 passed, 0 failed" });
  expect(readFileSync(path.join(folder, "unsynced"), "utf8")).toMatch(/^npm test -- /);
});
