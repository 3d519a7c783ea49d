import { expect, it } from "vitest";
import { isPlainRemote, normalizeUrl, requireKey, resolveSettings } from "./settings.ts";

const stored = {
  current: "https://memory.example.com",
  services: {
    "https://memory.example.com": { key: "ew_stored", userId: "alice" },
    "http://127.0.0.1:8787": { key: "ew_local", userId: null },
  },
};
const nothing = { current: null, services: {} };

it("takes flags before the environment, and the environment before the file", () => {
  const flags = { url: "http://127.0.0.1:1", key: "ew_flag", user: "carol" };
  const env = { EDGEWISE_URL: "http://127.0.0.1:2", EDGEWISE_KEY: "ew_env", EDGEWISE_USER: "bob" };
  expect(resolveSettings({ flags, env, credentials: stored })).toMatchObject({
    url: "http://127.0.0.1:1",
    key: "ew_flag",
    userId: "carol",
  });
  expect(resolveSettings({ flags: {}, env, credentials: stored })).toMatchObject({
    url: "http://127.0.0.1:2",
    key: "ew_env",
    userId: "bob",
  });
  expect(resolveSettings({ flags: {}, env: {}, credentials: stored })).toMatchObject({
    url: "https://memory.example.com",
    key: "ew_stored",
    userId: "alice",
  });
  expect(resolveSettings({ flags: {}, env: { EDGEWISE_URL: "", EDGEWISE_KEY: "" }, credentials: nothing })).toMatchObject({
    url: "http://127.0.0.1:8787",
    key: null,
    userId: undefined,
  });
});

it("never sends the key of one service to another", () => {
  const other = resolveSettings({ flags: { url: "https://elsewhere.example.com" }, env: {}, credentials: stored });
  expect(other).toMatchObject({ key: null, userId: undefined });
  const local = resolveSettings({ flags: { url: "http://127.0.0.1:8787/v1/" }, env: {}, credentials: stored });
  expect(local).toMatchObject({ key: "ew_local", userId: undefined });
  expect(resolveSettings({ flags: { url: "http://constructor" }, env: {}, credentials: stored }).key).toBeNull();
});

it("does not send the environment's key to another service than EDGEWISE_URL names", () => {
  const env = { EDGEWISE_URL: "https://elsewhere.example.com/v1", EDGEWISE_KEY: "ew_env" };
  const settingsOf = (url: string | undefined, key?: string) =>
    resolveSettings({ flags: { url, key }, env, credentials: stored });
  const other = settingsOf("http://127.0.0.1:1");
  expect(other.key).toBeNull();
  expect(() => requireKey(other)).toThrow(
    "EDGEWISE_KEY is for https://elsewhere.example.com, which EDGEWISE_URL names, and is not sent to http://127.0.0.1:1.",
  );
  expect(settingsOf("https://memory.example.com")).toMatchObject({ key: "ew_stored", userId: "alice" });
  expect(settingsOf("http://127.0.0.1:1", "ew_flag").key).toBe("ew_flag");
  for (const same of [undefined, "https://elsewhere.example.com/"]) expect(requireKey(settingsOf(same))).toBe("ew_env");
  expect(
    resolveSettings({ flags: { url: "http://127.0.0.1:1" }, env: { EDGEWISE_KEY: "ew_env" }, credentials: nothing }).key,
  ).toBe("ew_env");
});

it("does not take the stored user for another key than the one it was stored with", () => {
  expect(resolveSettings({ flags: {}, env: { EDGEWISE_KEY: "ew_env" }, credentials: stored }).userId).toBeUndefined();
});

it("names the two ways to give a key, and refuses what is no key without repeating it", () => {
  const settings = resolveSettings({ flags: {}, env: {}, credentials: nothing });
  expect(() => requireKey(settings)).toThrow(/edgewise login[\s\S]*EDGEWISE_KEY/);
  expect(() => requireKey({ ...settings, key: "ew_a\nb" })).toThrow("Copy it again");
  expect(() => requireKey({ ...settings, key: "ew_a\nb" })).not.toThrow(/ew_a/);
});

it("gives a service one name, and refuses what is none", () => {
  expect(normalizeUrl("HTTP://LocalHost:8787/v1/")).toBe("http://localhost:8787");
  expect(normalizeUrl("https://example.com/memory/")).toBe("https://example.com/memory");
  for (const wrong of ["", "localhost:8787", "ftp://example.com", "https://key@example.com", "https://example.com/?key=1"]) {
    expect(() => normalizeUrl(wrong)).toThrow("The service's URL");
  }
});

it("knows where a key could be read on the way", () => {
  expect(isPlainRemote("http://memory.example.com")).toBe(true);
  for (const safe of ["https://memory.example.com", "http://127.0.0.1:8787", "http://localhost:1", "http://[::1]:1"]) {
    expect(isPlainRemote(safe)).toBe(false);
  }
});
