import { describe, expect, it } from "vitest";
import { askLists } from "./asked-list.ts";
import type { ReplayedList } from "./kept-list.ts";
import { saidOf } from "./lists-now.ts";
import { replayLists } from "./replay-lists.ts";

const SHOP = "shopping list: coffee, nappies, rice, soap";

function read(...texts: string[]) {
  const turns = texts.map((text, at) => ({ text, session: 1, at }));
  return { turns, lists: replayLists(turns) };
}

function open(...texts: string[]): string[] {
  const [list] = read(...texts).lists;
  return openOf(list);
}

function openOf(list: ReplayedList | undefined): string[] {
  return (list?.items ?? []).filter(({ state }) => state === "open").map(({ value }) => value);
}

function asked(question: string, ...texts: string[]) {
  const { turns, lists } = read(...texts);
  return askLists(question, lists, 1, { said: saidOf(turns) })?.answer ?? null;
}

describe("what a message tells of an item", () => {
  it.each([
    ["the neighbour dropped off a huge pack of nappies so we are sorted", ["coffee", "rice", "soap"]],
    ["found a full bag of rice at the back of the cupboard", ["coffee", "nappies", "soap"]],
    ["they had no soap left, will try again tomorrow", ["coffee", "nappies", "rice", "soap"]],
    ["add lentils", ["coffee", "nappies", "rice", "soap", "lentils"]],
  ])("%s", (text, expected) => {
    expect(open(SHOP, text)).toEqual(expected);
  });

  it("a change of order that rules understand stays theirs", () => {
    expect(open("top 3 films: Alba, Boreas, Cinder", "swap 1 and 2")).toEqual(["Boreas", "Alba", "Cinder"]);
  });
});

describe("an answer depends on what it is about", () => {
  const doubted = [SHOP, "remove rice", "my sister says soap"];

  it("so doubt about one item leaves another known", () => {
    expect(asked("do i still need rice", ...doubted)).toEqual({ ask: "member", yes: false });
    expect(asked("what do i still need to buy", ...doubted)).toBeNull();
  });

  it("and a later message ends it", () => {
    expect(asked("is soap still on the list", ...doubted, "remove soap")).toEqual({ ask: "member", yes: false });
  });
});
