import { describe, expect, it } from "vitest";
import { redactSecrets, SECRET_KINDS } from "#core/safety/find-secrets";
import { labelled, SECRETS_KNOWN, SECRETS_LATER } from "#corpora/secrets";
import { PLAIN_SHAPES, repeated } from "#test/hostile-inputs";
import { growthOf, MAX_LINEAR_GROWTH, visitsOf } from "#test/text-work";
import { takeStatements } from "../../src/domain/extraction/take-statements.ts";
import { TEXT_PIPELINE } from "./text-pipeline.ts";

const SECRETS = [...SECRETS_KNOWN, ...SECRETS_LATER].map(labelled);
/** The first secret of each kind, by itself and in its sentence, again and again. */
const SECRET_SHAPES = Object.fromEntries(
  SECRET_KINDS.flatMap((kind) => {
    const found = SECRETS.find(({ secrets }) => secrets.some((secret) => secret.kind === kind));
    const secret = found?.secrets.find((each) => each.kind === kind);
    if (found === undefined || secret === undefined) return [];
    return [
      [`${kind} alone`, repeated(`${secret.value} `)],
      [`${kind} in a sentence`, repeated(`${found.text} `)],
    ];
  }),
);
/** Random numbers in an issuer's range with a right check digit, parted and joined in every way that is found. */
const CARD_SHAPES: Readonly<Record<string, string>> = {
  "cards in fours": "4539 1488 0343 6467 ",
  "cards with hyphens": "4539-1488-0343-6467 ",
  "cards joined by hyphens": "4539-1488-0343-6467-",
  "cards parted by tabs": "4539\t1488\t0343\t6467\t",
  "cards run together": "4539148803436467 ",
  "cards in a list": "4539148803436467,",
  "cards of 4-6-5": "3782 822463 10005 ",
  "cards in full width": "４５３９　１４８８　０３４３　６４６７　",
  "cards behind years": "2024 4539 1488 0343 6467 ",
  "cards digit by digit": "card 4 5 3 9 1 4 8 8 0 3 4 3 6 4 6 7 ",
};

const SHAPES: Readonly<Record<string, (units: number) => string>> = {
  ...PLAIN_SHAPES,
  ...Object.fromEntries(Object.entries(CARD_SHAPES).map(([name, unit]) => [name, repeated(unit)])),
  statements: repeated("I like tea and "),
  "sentences of statements": repeated("I prefer tea. "),
  favourites: repeated("my favorite color is red, "),
  "ranked favourites": repeated("my favorite colors are 1) red 2) blue "),
  friends: repeated("my friend Bob and "),
  "a favourite and hyphens": (units) => `my fav one a ${"-".repeat(units)}`,
  passwords: repeated("pw: "),
  "a password and apostrophes": (units) => `password for ${"'".repeat(units)}`,
  tokens: repeated("token: a:A:A:A:A:A:A:A:A:A:A:A:A:A:A:A:A:A:A:A:A:A:A:A:A:A:A:A:A=~ "),
  keys: repeated("AKIAIOSFODNN7EXAMPLE "),
  "web tokens": repeated("eyJ"),
  "private keys": repeated("-----BEGIN PRIVATE KEY-----\nA"),
  passports: repeated("passport no my "),
  "telephone numbers": repeated("+1 202 555 0143 "),
  "what follows a value": (units) => `my favorite colors are 1) red ${"and that's it ".repeat(units / 14)}x`,
};

describe("secrets of any kind, however often they stand in a message, take work that grows with its length alone", () => {
  it.each(Object.entries({ ...SECRET_SHAPES }))("%s", (_, make) => {
    expect(growthOf(redactSecrets, make)).toBeLessThanOrEqual(MAX_LINEAR_GROWTH);
  });
});

describe("a message of ten times the length takes ten times the work, whatever its shape", () => {
  for (const [name, read] of Object.entries(TEXT_PIPELINE)) {
    it(`${name}`, { timeout: 300_000 }, () => {
      const steep: string[] = [];
      for (const [shape, make] of Object.entries(SHAPES)) {
        const growth = growthOf(read, make);
        if (growth > MAX_LINEAR_GROWTH) steep.push(`${shape}: ${growth} times`);
      }
      expect(steep).toEqual([]);
    });
  }
});

/** Many small statements of every kind, which are compared with one another. */
const STATEMENT_SHAPES: Readonly<Record<string, string>> = {
  "numbered cries": "1. x! ",
  "short sentences": "I went. ",
  "list items": "- tea is fine\n",
  homes: "I live in Zwolle. ",
  "homes with the rest of a sentence": "I moved to Zwolle; boxes everywhere! ",
  "statements without an end": "I love tea and I hate rain and ",
  "lists without an end": "my favorite colors are 1) red 2) blue ",
  relatives: "my sister Ann has asthma. ",
  requests: "remember that I like tea. ",
  wishes: "always answer in German. ",
};

describe("a message of many statements", () => {
  const take = (text: string) => takeStatements([{ role: "user", text }]);
  /** The length of two passages, so that what is done for each shows. */
  const UNITS = 2_400;

  it.each(Object.entries(STATEMENT_SHAPES))("%s: ten times as many take ten times the work", (_, piece) => {
    expect(growthOf(take, repeated(piece), UNITS)).toBeLessThanOrEqual(MAX_LINEAR_GROWTH);
    const visits = (units: number) => visitsOf(() => take(repeated(piece)(units)));
    expect(visits(UNITS * 10) / visits(UNITS)).toBeLessThanOrEqual(MAX_LINEAR_GROWTH);
  });
});
