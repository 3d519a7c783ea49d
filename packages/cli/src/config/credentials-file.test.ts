import { chmod, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { credentialsPath, readCredentials, writeCredentials } from "./credentials-file.ts";

let home = "";
const host = () => ({ env: {}, platform: "linux" as const, home });
const login = { current: "http://127.0.0.1:8787", services: { "http://127.0.0.1:8787": { key: "ew_secret", userId: "alice" } } };

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), "edgewise-cli-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

it("reads what it wrote, in a file that only its owner can read", async () => {
  expect(await readCredentials(host())).toEqual({ current: null, services: {} });
  await writeCredentials(host(), login);
  expect(await readCredentials(host())).toEqual(login);
  const file = credentialsPath(host());
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700);
  expect(await readdir(path.dirname(file))).toEqual(["credentials.json"]);
});

it("narrows the mode of a file that was open before", async () => {
  await writeCredentials(host(), login);
  await chmod(credentialsPath(host()), 0o644);
  await writeCredentials(host(), login);
  expect((await stat(credentialsPath(host()))).mode & 0o777).toBe(0o600);
});

it("refuses keys that others can read, says how to close the file, and does not show the key", async () => {
  await writeCredentials(host(), login);
  for (const mode of [0o644, 0o640, 0o604]) {
    await chmod(credentialsPath(host()), mode);
    await expect(readCredentials(host())).rejects.toThrow(/chmod 600/);
    await expect(readCredentials(host())).rejects.not.toThrow(/ew_secret/);
  }
});

it("says what to do about a damaged file, without its content", async () => {
  await writeCredentials(host(), login);
  for (const text of ["{ ew_secret", "[]", '{"services":{"http://a":{}}}']) {
    await writeFile(credentialsPath(host()), text);
    await expect(readCredentials(host())).rejects.toThrow(/is damaged\. Delete it/);
    await expect(readCredentials(host())).rejects.not.toThrow(/ew_secret/);
  }
});

it("follows XDG_CONFIG_HOME if it is absolute, and APPDATA on Windows", () => {
  const at = (env: NodeJS.ProcessEnv, platform: NodeJS.Platform = "linux") =>
    credentialsPath({ env, platform, home: "/home/ann" });
  expect(at({ XDG_CONFIG_HOME: "/xdg" })).toBe("/xdg/edgewise/credentials.json");
  expect(at({ XDG_CONFIG_HOME: "xdg" })).toBe("/home/ann/.config/edgewise/credentials.json");
  expect(at({ APPDATA: "/roaming" }, "win32")).toBe("/roaming/edgewise/credentials.json");
  expect(at({ APPDATA: "/roaming" })).toBe("/home/ann/.config/edgewise/credentials.json");
});
