import { describe, expect, it } from "vitest";
import { CLEAN_KNOWN, CLEAN_LATER, labelled, SECRETS_KNOWN, SECRETS_LATER } from "#corpora/secrets";
import { CLEAN_UNUSUAL, SECRETS_DISGUISED, SECRETS_NAMED } from "#corpora/secrets-disguised";
import { repeated } from "#test/hostile-inputs";
import { growthOf, MAX_LINEAR_GROWTH } from "#test/text-work";
import { findSecrets, redactSecrets } from "./find-secrets.ts";
import { readPlainly } from "./plain-reading.ts";

describe("9: secrets are found as people paste them", () => {
  it.each([...SECRETS_DISGUISED, ...SECRETS_NAMED].map((marked) => [JSON.stringify(marked), labelled(marked)]))(
    "%s",
    (_, { text, secrets }) => {
      const found = findSecrets(text).map(({ kind, start, end }) => ({ kind, value: text.slice(start, end) }));
      expect(found).toEqual(secrets.map(({ kind, value }) => ({ kind, value })));
    },
  );

  it.each(CLEAN_UNUSUAL.map((text) => [text]))("leaves %j as it is", (text) => {
    expect(redactSecrets(text)).toEqual({ text, kinds: [] });
  });

  it("cuts exactly the secret, and leaves the invisible characters around it", () => {
    expect(
      redactSecrets("\ufeffpay\u200b with \u200b4539\u00a01488\u00a00343\u00a06467\u200b, she\u00adsaid 👩\u200d🚀").text,
    ).toBe("\ufeffpay\u200b with \u200b[redacted:card_number]\u200b, she\u00adsaid 👩\u200d🚀");
  });
});

const fullWidth = (text: string) =>
  text.replace(/[0-9A-Za-z]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0));

/** Ways to write a text so that it looks the same, or nearly so. */
const DISGUISES: Readonly<Record<string, (text: string) => string>> = {
  "a zero-width space between all letters and digits": (text) => text.replace(/(?<=[\p{L}\p{N}])(?=[\p{L}\p{N}])/gu, "\u200b"),
  "soft hyphens between all letters": (text) => text.replace(/(?<=\p{L})(?=\p{L})/gu, "\u00ad"),
  "a variation selector after each letter and digit": (text) => text.replace(/[A-Za-z0-9]/g, "$&\ufe0f"),
  "a tag after each letter": (text) => text.replace(/[A-Za-z]/g, "$&\u{e0061}"),
  "a stroke through each letter and digit": (text) => text.replace(/[A-Za-z0-9]/g, "$&\u0336"),
  "no-break spaces": (text) => text.replaceAll(" ", "\u00a0"),
  "non-breaking hyphens": (text) => text.replaceAll("-", "\u2011"),
  "full-width letters and digits": fullWidth,
  "decomposed letters": (text) => text.normalize("NFD"),
};

/** What follows the last character that is seen is no part of a secret. */
const withoutTail = (text: string) => text.replace(/[\ufe0f\u{e0061}]+$/u, "");

describe.each(Object.entries(DISGUISES))("with %s", (_, disguise) => {
  it("a secret that is found as it is written is found, whole", () => {
    const missed = [...SECRETS_KNOWN, ...SECRETS_LATER].filter((marked) => {
      const { text } = labelled(marked);
      const plain = findSecrets(text).map(({ kind, start, end }) => `${kind} ${withoutTail(disguise(text.slice(start, end)))}`);
      const disguised = disguise(text);
      const found = findSecrets(disguised).map(({ kind, start, end }) => `${kind} ${disguised.slice(start, end)}`);
      return !plain.every((secret) => found.some((each) => each.startsWith(secret)));
    });
    expect(missed).toEqual([]);
  });

  it("what is no secret stays what it was", () => {
    const changed = [...CLEAN_KNOWN, ...CLEAN_LATER].filter((text) => {
      const disguised = disguise(text);
      return redactSecrets(disguised).text !== disguised && redactSecrets(text).text === text;
    });
    expect(changed).toEqual([]);
  });
});

describe("readPlainly", () => {
  const read = (text: string) => readPlainly(text).map(({ plain }) => plain);

  it.each([
    ["plain text, as it is", ["plain text, as it is"]],
    ["Ｆｕｌｌ　ｗｉｄｔｈ", ["Full width"]],
    ["pass\u200bword", ["password", "pass word"]],
    ["❤️ you", ["❤ you"]],
    ["cafe\u0301", ["café"]],
    ["раssword", ["password", "раssword"]],
    ["пароль Раиса", ["пароль Раиса"]],
    ["pássword résumé", ["password résumé", "pássword résumé"]],
    ["٠١٢ ०१२ 𝟎𝟏𝟐 ๐๑๒", ["012 012 012 012"]],
    ["n.º 1ª", ["n.º 1ª"]],
    ["कि\u200dतु", ["कितु"]],
  ])("%j is read as %j", (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it("maps each character of the reading to its offset in the text", () => {
    const text = "😀\u200ba\u0301\u0336ﬁ\ufe0f 𝟎-\u{e0061}x\ud800y";
    for (const { plain, spanOf } of readPlainly(text)) {
      let from = 0;
      for (let unit = 0; unit < plain.length; unit += 1) {
        const { start, end } = spanOf(unit, unit + 1);
        expect(end).toBeGreaterThan(start);
        expect(start).toBeGreaterThanOrEqual(Math.min(from, start));
        from = end;
      }
      expect(spanOf(0, plain.length)).toEqual({ start: 0, end: text.length });
    }
  });
});

const UNITS = [
  "a\u200b",
  "а",
  "á",
  "\u0301",
  "a\u0301",
  "\u200b",
  "𝟎",
  "٤",
  "\ufe0f",
  "\u{e0061}",
  "раss ",
  "क्\u200d",
  "4\u200b",
  "\ud800",
  "ﬁ",
];

describe("hostile texts", () => {
  it.each(UNITS.map((unit) => [unit]))("64 KB of %j take work in proportion, and nothing is left to find", (unit) => {
    let redacted = "";
    const redact = (text: string) => {
      redacted = redactSecrets(text).text;
    };
    expect(growthOf(redact, repeated(unit))).toBeLessThanOrEqual(MAX_LINEAR_GROWTH);
    expect(findSecrets(redacted)).toEqual([]);
  });
});
