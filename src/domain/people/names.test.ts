import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nameKey } from "#core/text/normalize";
import { distinctAliases, joinNames, keysOf, partNames } from "./names.ts";

describe("keysOf", () => {
  it("has each key once, a user's id among them, and none that is empty", () => {
    expect(keysOf({ name: "José", aliases: ["JOSE", "Pepe"], userId: "u-1" })).toEqual(["jose", "pepe", "u 1"]);
    expect(keysOf({ name: "!!!", aliases: [], userId: null })).toEqual([]);
  });
});

describe("distinctAliases", () => {
  it("leaves out what is looked up like the name or an alias before", () => {
    expect(distinctAliases({ name: "Ann Lee", aliases: ["ann-lee", "Annie", "ANNIE", "李"] })).toEqual(["Annie", "李"]);
  });
});

describe("joinNames", () => {
  it("adds to the survivor what it is not found by yet", () => {
    const into = { name: "Robert", aliases: ["Bob"], userId: "rob" };
    expect(joinNames(into, { name: "BOB", aliases: ["Rob", "Bobby", "bobby"] })).toEqual({
      aliases: ["Bob", "Bobby"],
      added: ["Bobby"],
    });
  });
});

describe("partNames", () => {
  it("takes away what the merge added, and leaves what is there by another way", () => {
    expect(partNames({ aliases: ["Bob", "Bobby", "Rob"], added: ["Bobby", "gone since"] }, [])).toEqual({
      aliases: ["Bob", "Rob"],
      inherited: [],
    });
  });

  it("leaves a name to the first later merge of somebody who goes by it", () => {
    const later = [
      { id: 7, added: ["Other"], names: ["Other"] },
      { id: 8, added: [], names: ["BOBBY"] },
      { id: 9, added: [], names: ["Bobby"] },
    ];
    expect(partNames({ aliases: ["Bobby", "Rob", "Other"], added: ["Bobby", "Rob"] }, later)).toEqual({
      aliases: ["Bobby", "Other"],
      inherited: [{ id: 8, added: ["Bobby"] }],
    });
  });

  it("undoes joinNames, whatever the names", () => {
    const names = fc.array(
      fc.string({ unit: "grapheme", maxLength: 6 }).filter((name) => nameKey(name) !== ""),
      { maxLength: 5 },
    );
    const named = fc.record({ name: fc.constantFrom("Ann", "ann", "Bo"), aliases: names });
    fc.assert(
      fc.property(named, named, (into, from) => {
        const aliases = distinctAliases(into);
        const joined = joinNames({ ...into, aliases, userId: null }, from);
        expect(partNames({ aliases: joined.aliases, added: joined.added }, []).aliases).toEqual(aliases);
        const keys = [...aliases, into.name, from.name, ...from.aliases].map(nameKey);
        expect(new Set(keysOf({ name: into.name, aliases: joined.aliases, userId: null }))).toEqual(new Set(keys));
      }),
    );
  });
});
