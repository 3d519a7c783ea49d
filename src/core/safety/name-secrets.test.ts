import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppError } from "#core/errors";
import { redactName, redactNames, refuseSecretNames, secretInName } from "./name-secrets.ts";

const from = (alphabet: string, length: number) =>
  fc.array(fc.constantFrom(...alphabet), { minLength: length, maxLength: length }).map((each) => each.join(""));
const DIGITS = "0123456789";
const BASE_62 = `${DIGITS}ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz`;
const HEX = "0123456789abcdef";

/** What apps take for ids. */
const IDS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  "16 digits": from(DIGITS, 15).map((digits) => `4${digits}`),
  "a snowflake": from(DIGITS, 19),
  "a UUID": fc.uuid(),
  "a prefixed UUID": fc.uuid().map((id) => `session_${id}`),
  "base 62": from(BASE_62, 27).map((id) => `user_${id}`),
  base64url: from(`${BASE_62}-_`, 43),
  base64: from(`${BASE_62}+/`, 42).map((id) => `${id}==`),
  "hexadecimal of 32": from(HEX, 32),
  "hexadecimal of 64": from(HEX, 64),
  "a key of ours to name a thing": from(BASE_62, 24).map((id) => `sk_${id}`),
  "a provider's id": from(HEX, 24).map((id) => `auth0|${id}`),
  "a number of a messenger": from(DIGITS, 12).map((id) => `${id}@s.whatsapp.net`),
};

describe("9: an id is not refused because it is random or a number", () => {
  it.each(Object.entries(IDS))("%s", (_, ids) => {
    fc.assert(fc.property(ids, (id) => secretInName(id) === null));
  });

  it.each([
    "4539148803436467",
    "pin:4821",
    "csc-101",
    "CSC 101",
    "preference:password_manager",
    "wifi_password",
    "settings.api_key",
    "password-reset-2024",
    "token-42",
    "ft:gpt-4o-mini:acme::abc12345",
    "https://gateway.ai.cloudflare.com/v1/0123456789abcdef0123456789abcdef/gw/openai",
    "José 🚀",
    "100%",
  ])("%j", (id) => {
    expect(secretInName(id)).toBeNull();
  });
});

/** Parts that apps join to an id with a colon. */
const JOINED: Readonly<Record<string, fc.Arbitrary<string>>> = {
  "a mail address and a UUID": fc.uuid().map((id) => `bob@example.com:${id}`),
  "a mail address and base64url": from(`${BASE_62}-_`, 22).map((id) => `bob@example.com:${id}`),
  "a session token": from(`${BASE_62}-_`, 43).map((id) => `session:token:${id}`),
  "a support token": from(HEX, 32).map((id) => `support-token:${id}`),
  "a key of ours": fc.uuid().map((id) => `key:key_${id}`),
  "a service's SID": from(HEX, 32).map((id) => `SK${id}`),
};

describe("an id composed of parts is no statement of a password", () => {
  it.each(Object.entries(JOINED))("%s", (_, ids) => {
    fc.assert(fc.property(ids, (id) => secretInName(id) === null));
  });

  it.each([
    "bob@example.com:device1",
    "bob@example.com:thread_1",
    "bob@example.com:chat-7f3a",
    "bob@example.com:room42",
    "bob%40example.com%3Aroom42",
    "clave:sol-2024",
    "boarding-pass:AB12CD34",
    "password-reset:3f2504e0-4f89-41d3-9a0c-0305e82c3301",
  ])("%j", (id) => {
    expect(secretInName(id)).toBeNull();
  });

  it.each([
    ["password:hunter2x", "password"],
    ["password=hunter2x", "password"],
    ["bob@example.com password: hunter2x", "password"],
    ["https://models.example/v1?token=9f8e7d6c5b4a3f2e1d0c9b", "api_key"],
    ["bob@example.com:sk_live_4eC39HqLyjWDarjtT1zdp7dc", "stripe_key"],
    ["session:token:ghp_C3J27XDCG2LmlZGEONYlgCtjfIZ4SOcMz9CP", "github_token"],
    ["bob@example.com:4539-1488-0343-6467", "card_number"],
  ])("%j still holds a secret: %s", (name, kind) => {
    expect(secretInName(name)).toBe(kind);
  });
});

describe("9: a secret in a name is found", () => {
  it.each([
    ["sk_live_4eC39HqLyjWDarjtT1zdp7dc", "stripe_key"],
    ["user-ghp_C3J27XDCG2LmlZGEONYlgCtjfIZ4SOcMz9CP", "github_token"],
    ["ew_J3kq9ZtL0wXc7VbN2mQs8RfG5hYd1TpU4eAo6KiM", "api_key"],
    ["4539-1488-0343-6467", "card_number"],
    ["4539\u00a01488\u00a00343\u00a06467", "card_number"],
    ["٤٥٣٩ ١٤٨٨ ٠٣٤٣ ٦٤٦٧", "card_number"],
    ["password: hunter2x", "password"],
    ["my pin is 4821", "pin"],
    ["pass\u200bword: hunter2x", "password"],
    ["sk%5Flive_4eC39HqLyjWDarjtT1zdp7dc", "stripe_key"],
    ["https://models.example/v1/sk_live_4eC39HqLyjWDarjtT1zdp7dc", "stripe_key"],
    ["Bearer abc123def456ghi789jkl", "bearer_token"],
  ])("%j: %s", (name, kind) => {
    expect(secretInName(name)).toBe(kind);
    expect(secretInName(redactName(name))).toBeNull();
  });
});

const KEY = "sk_live_4eC39HqLyjWDarjtT1zdp7dc";

describe("the names of an input", () => {
  it.each<[string, unknown]>([
    ["userId", { userId: KEY }],
    ["episodes[1].messages[0].messageId", { episodes: [{}, { messages: [{ text: "x", messageId: KEY }] }] }],
    ["participants[1]", { participants: ["ann", KEY] }],
    ["upstream.models", { upstream: { models: { [KEY]: "x" } } }],
    ["upstream.models.fast", { upstream: { models: { fast: KEY } } }],
    ["body", { [KEY]: 1 }],
  ])("%s is refused", (path, input) => {
    const refused = () => refuseSecretNames(input);
    expect(refused).toThrow(AppError);
    expect(refused).toThrow(expect.objectContaining({ code: "unprocessable", fields: [expect.objectContaining({ path })] }));
    try {
      refused();
    } catch (error) {
      expect(JSON.stringify(error) + String(error)).not.toContain("4eC39");
    }
  });

  it("are not its texts, which are redacted or refused by who stores them", () => {
    refuseSecretNames({ messages: [{ text: KEY, speaker: KEY }], content: KEY, upstream: { apiKey: KEY }, metadata: { a: KEY } });
  });

  it("are redacted for the audit, and all else stays", () => {
    expect(redactNames({ from: [KEY, 1, null, { [KEY]: "b" }], to: "4539148803436467" })).toEqual({
      from: ["[redacted:stripe_key]", 1, null, { "[redacted:stripe_key]": "b" }],
      to: "4539148803436467",
    });
  });
});
