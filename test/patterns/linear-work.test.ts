import { describe, expect, it } from "vitest";
import { PLAIN_SHAPES, repeated } from "#test/hostile-inputs";
import { workOf } from "#test/text-work";
import { TEXT_PIPELINE } from "./text-pipeline.ts";

const UNITS = 6_400;
const TIMES = 10;
/** Ten times the text may take this many times the work: what is done once a text makes the shorter one cheaper a character. */
const MOST_GROWTH = 13;

const SHAPES: Readonly<Record<string, (units: number) => string>> = {
  ...PLAIN_SHAPES,
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

describe("a message of ten times the length takes ten times the work, whatever its shape", () => {
  for (const [name, read] of Object.entries(TEXT_PIPELINE)) {
    it(`${name}`, { timeout: 300_000 }, () => {
      const steep: string[] = [];
      for (const [shape, make] of Object.entries(SHAPES)) {
        const short = workOf(() => read(make(UNITS)));
        const long = workOf(() => read(make(UNITS * TIMES)));
        if (long > MOST_GROWTH * Math.max(short, UNITS)) steep.push(`${shape}: ${short} and ${long}`);
      }
      expect(steep).toEqual([]);
    });
  }
});
