import { describe, expect, it } from "vitest";
import type { ReplayedList } from "./kept-list.ts";
import { replayLists } from "./replay-lists.ts";

const SIGNS = { open: "", done: "+", gone: "-", off: "~" };

function shown({ unsure, items }: ReplayedList): string {
  const said = items.map(
    ({ label, value, state, unsure: open }) => `${open ? "?" : ""}${SIGNS[state]}${label === null ? "" : `${label}: `}${value}`,
  );
  return `${unsure ? "unsure " : ""}${said.join(", ")}`;
}

/** The list that the messages of one chat leave, by rules alone; "+" is done, "-" is off, "?" is not sure. */
function left(...texts: string[]): string | undefined {
  const [list] = replayLists(
    texts.map((text, at) => ({ text, session: 1, at })),
    undefined,
    null,
  );
  return list === undefined ? undefined : shown(list);
}

const BOAT = "boat list: rope, torch, two flares, a bucket";

describe("a list is stated", () => {
  it.each([
    ["with a colon", "boat list: rope, torch and flares", "rope, torch, flares"],
    ["with numbers", "top 3 cheeses 1 brie 2 cheddar 3 feta", "brie, cheddar, feta"],
    ["in lines", "to buy:\n- lamp oil\n- string\n- nails", "lamp oil, string, nails"],
    ["as what is needed", "i need hooks, line and a sinker for sunday", "hooks, line, a sinker for sunday"],
    ["in the sentence after its name", "Packing for the hut. Stove, matches, wool socks.", "Stove, matches, wool socks"],
    ["with a verb", "my camping list is stove, matches and socks", "stove, matches, socks"],
    ["by person", "jobs for sunday. Ann: roof, Bob: drains", "Ann: roof, Bob: drains"],
    [
      "by group",
      "seating plan. table 1: gran, uncle Bo. table 2: the twins, Ida",
      "table 1: gran, table 1: uncle Bo, table 2: the twins, table 2: Ida",
    ],
    [
      "partly done",
      "peaks i want to climb. Done so far: Ben Gow, Kettle Top. To go: Long Fell, Shale Tor",
      "+Ben Gow, +Kettle Top, Long Fell, Shale Tor",
    ],
    ["in German", "einkaufsliste: mehl, zucker und eier", "mehl, zucker, eier"],
    ["in Spanish", "lista de la compra: harina, leche y huevos", "harina, leche, huevos"],
    ["in French", "liste de courses: farine, lait et oeufs", "farine, lait, oeufs"],
    ["in Chinese", "购物清单：面粉、牛奶、鸡蛋", "面粉, 牛奶, 鸡蛋"],
  ])("%s", (_, text, expected) => {
    expect(left(text)).toBe(expected);
  });

  it.each([
    "what are some good boat names: fast ones, funny ones?",
    "translate this list: bread, milk, eggs",
    "how many things are left on the list",
    "I had a long day and my feet hurt",
  ])("but not by %s", (text) => {
    expect(left(text)).toBeUndefined();
  });
});

describe("a list is changed", () => {
  it.each([
    ["by an addition", "oh and sun hats", "rope, torch, two flares, a bucket, sun hats"],
    ["by an addition of two", "add biscuits and a kettle", "rope, torch, two flares, a bucket, biscuits, kettle"],
    ["by a removal", "take the bucket off, Jo has one", "rope, torch, two flares, -a bucket"],
    ["by a deed", "got the torch today", "rope, +torch, two flares, a bucket"],
    ["by deeds without a comma", "rope and flares packed", "+rope, torch, +two flares, a bucket"],
    ["by a deed in the next words", "the bucket is in the bag already, tick", "rope, torch, two flares, +a bucket"],
    ["by a replacement", "swap the torch for a head lamp", "rope, head lamp, two flares, a bucket, -torch"],
    ["by an emptying", "scrap the boat list", "-rope, -torch, -two flares, -a bucket"],
    ["not by what is still to come", "i will get the rope tomorrow", "?rope, torch, two flares, a bucket"],
    ["not by a question", "is the rope still on there?", "rope, torch, two flares, a bucket"],
    ["not by a question without a mark", "did i say to bring rope", "rope, torch, two flares, a bucket"],
  ])("%s", (_, text, expected) => {
    expect(left(BOAT, text)).toBe(expected);
  });

  it("in its order", () => {
    const films = "top 4 films: Alba, Boreas, Cinder, Dusk";
    expect(left(films, "swap 1 and 2")).toBe("Boreas, Alba, Cinder, Dusk");
    expect(left(films, "cinder goes to number 1")).toBe("Cinder, Alba, Boreas, Dusk");
    expect(left(films, "put Alba last")).toBe("Boreas, Cinder, Dusk, Alba");
    expect(left(films, "actually the second is Ember")).toBe("Alba, Ember, Cinder, Dusk");
    expect(left(films, "make it dusk, cinder, boreas, alba")).toBe("Dusk, Cinder, Boreas, Alba");
    expect(left(films, "Dusk right after Alba")).toBe("Alba, Dusk, Boreas, Cinder");
  });

  it("of persons and their parts", () => {
    const supper = "supper on friday: Ann - soup, Bob - bread, Cleo - wine";
    expect(left(supper, "Ann and Bob swap")).toBe("Ann: bread, Bob: soup, Cleo: wine");
    expect(left("supper list: Ann soup, Bob bread", "ann and bob swap")).toBe("Bob soup, Ann bread");
  });

  it("by its name only, where two lists could be meant", () => {
    const lists = replayLists(
      [BOAT, "chores for sunday: mow the lawn, wash the car", "car washed. also got the rope"].map((text, at) => ({
        text,
        session: 1,
        at,
      })),
    );
    expect(lists.map(shown).toSorted()).toEqual(["+rope, torch, two flares, a bucket", "mow the lawn, +wash the car"]);
  });

  it("from another chat where the message names it", () => {
    const turns = [
      { text: BOAT, session: 1, at: 1 },
      { text: "add whistles to my boat list", session: 2, at: 2 },
      { text: "got the rope", session: 2, at: 3 },
    ];
    expect(replayLists(turns).map(shown)).toEqual(["rope, torch, two flares, a bucket, whistles"]);
  });
});

describe("a list is not sure", () => {
  it("after a change that is not understood, until it is stated again", () => {
    expect(left(BOAT, "Ida brings her own thing for that, the blue one")).toMatch(/^unsure/);
    expect(left(BOAT, "the torch was mentioned by Bo")).toBe("rope, ?torch, two flares, a bucket");
    expect(left(BOAT, "the torch was mentioned by Bo", "boat list: oars, torch, map")).toBe("oars, torch, map");
  });
});

it("keeps favourites with ranks sure after talk of something else", () => {
  const turns = ["My favorite colors are 1) Blue, 2) Green, 3) Black.", "By the way, I prefer window seats on night trains."];
  const [list] = replayLists(turns.map((text, at) => ({ text, session: 1, at })));
  expect(list?.unsure).toBe(false);
});

describe("of a message that changes a list and says more, nothing is certain that was not understood", () => {
  const TRIP = "trip wishlist: tile museum, pink street, tart shop, flea market";

  it("an item that is named beside the one that is done", () => {
    expect(left(TRIP, "did the tile museum today, feet are dead. and tart shop, four of them")).toBe(
      "+tile museum, pink street, ?tart shop, flea market",
    );
  });

  it("what takes the place of an item that went", () => {
    expect(left(TRIP, "the pink street is off. Instead boat ride.")).toMatch(/^unsure /);
    expect(left(TRIP, "remove the pink street, and it is the castle in its stead")).toMatch(/^unsure |castle/);
  });

  it("but the place that an item was moved to is no change of what stands there", () => {
    expect(left("top 3 cheeses 1 brie 2 cheddar 3 feta", "brie is off. move feta above cheddar")).toBe("-brie, feta, cheddar");
  });
});

describe("several items are added in one go", () => {
  const SHOP = "shopping list: eggs, flour";

  it.each(["add milk, butter and rolls", "add milk, butter and rolls to the list", "we also need milk, butter and rolls"])(
    "%s",
    (text) => {
      expect(left(SHOP, text)).toBe("eggs, flour, milk, butter, rolls");
    },
  );

  it("without an and before the last, what follows may be no item", () => {
    expect(left(SHOP, "add milk, thanks love")).toBe("unsure eggs, flour, milk");
    expect(left(SHOP, "add milk, mum drinks it all")).toBe("eggs, flour, milk");
  });
});

it("a number with a word for done says how its item is, and one at the end of a new item is not understood", () => {
  expect(left("todo: 1. taxes 2. dentist 3. gym", "2 is done")).toBe("taxes, +dentist, gym");
  expect(left("top 3 albums: Blue, Dummy, Kid A", "put Horses at number 2")).toBe("unsure Blue, Dummy, Kid A");
});
