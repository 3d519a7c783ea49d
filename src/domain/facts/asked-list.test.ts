import { describe, expect, it } from "vitest";
import { askLists } from "./asked-list.ts";
import { saidOf } from "./lists-now.ts";
import { replayLists } from "./replay-lists.ts";

/** The answer to a question after the messages of one chat; null where it is left to the model. */
function asked(question: string, ...texts: string[]): string | null {
  const turns = texts.map((text, at) => ({ text, session: 1, at }));
  const found = askLists(question, replayLists(turns), 1, { said: saidOf(turns) });
  if (found === null) return null;
  const { answer } = found;
  if (answer.ask === "count") return String(answer.count);
  return answer.ask === "member" ? (answer.yes ? "yes" : "no") : answer.values.map(({ value }) => value).join(", ");
}

const BOAT = ["boat shopping list: rope, torch, two flares, a bucket", "got the torch", "take the bucket off"];
const FILMS = "my favourite films in order: Alba, Boreas, Cinder";

describe("a question about a list is left to the model", () => {
  it("where the only list is somebody else's", () => {
    const lists = ["my brother's shopping list: beer, crisps"];
    expect(asked("what's on my shopping list?", ...lists)).toBeNull();
    expect(asked("what's on my brother's shopping list?", ...lists)).toBe("beer, crisps");
    expect(asked("what's on my shopping list?", "shopping list: milk, eggs", ...lists)).toBe("milk, eggs");
  });

  it("where it is not certain that something is not on it", () => {
    const said = ["My packing list: socks, tent, torch", "better chuck a brolly on there too"];
    expect(asked("is the umbrella on my packing list?", ...said)).toBeNull();
  });

  it("where nothing would be left, and it did not ask what is left", () => {
    const said = [
      "xmas gifts so far - Dad: head torch, Lena: pottery voucher, the twins: marble run, Gran: slippers",
      "gran already has three pairs of slippers apparently!! make hers a bird feeder",
    ];
    expect(asked("what am i giving gran", ...said)).toBeNull();
  });
});

describe("a question about a list is answered", () => {
  it("where rules and models find the same additions", () => {
    const said = ["shopping list: milk, eggs, flour", "got the eggs", "add butter, rolls and jam", "take flour off"];
    expect(asked("what do i still need to buy", ...said)).toBe("milk, butter, rolls, jam");
  });

  it.each([
    ["whats left to buy", "rope, two flares"],
    ["what's on my boat shopping list?", "rope, two flares"],
    ["how many things are left", "2"],
    ["what have i already got", "torch"],
    ["is the rope still on there?", "yes"],
    ["is the torch still on the list", "no"],
    ["do i still need flares", "yes"],
    ["did i say to buy a lantern", "no"],
    ["boat shopping list please", "rope, two flares"],
  ])("%s", (question, expected) => {
    expect(asked(question, ...BOAT)).toBe(expected);
  });

  it.each([
    ["second favourite film", "Boreas"],
    ["whats third", "Cinder"],
    ["and the last one?", "Cinder"],
    ["list my favourite films", "Alba, Boreas, Cinder"],
    ["my favourite film?", "Alba"],
  ])("by rank: %s", (question, expected) => {
    expect(asked(question, FILMS)).toBe(expected);
  });

  it("by a person, and by what they have", () => {
    const supper = "supper on friday, who brings what. Ann - soup, Bob - bread";
    expect(asked("what is Ann bringing", supper)).toBe("soup");
    expect(asked("who brings the bread", supper)).toBe("Bob");
  });

  it.each([
    ["einkaufsliste: mehl, zucker, eier", "mehl hab ich gekauft", "was muss ich noch kaufen?", "zucker, eier"],
    ["lista de la compra: harina, leche, huevos", "quita la leche", "qué me falta comprar", "harina, huevos"],
    ["liste de courses: farine, lait, oeufs", "enlève le lait", "qu'est-ce qu'il reste à acheter", "farine, oeufs"],
    ["购物清单：面粉、牛奶、鸡蛋", "牛奶不用了", "还要买什么", "面粉, 鸡蛋"],
  ])("in another language: %s", (stated, changed, question, expected) => {
    expect(asked(question, stated, changed)).toBe(expected);
  });
});

describe("a question with words that no rule knows", () => {
  it.each([
    ["standing in the shop, what do i need", "rope, two flares"],
    ["remind me what we were after for the boat", "rope, two flares"],
    ["what did i put after the rope", "two flares"],
    ["which one is just before the last one", "rope"],
    ["how many bits are we still missing", "2"],
    ["is the rope still wanted", "yes"],
    ["have i ticked off the torch", "yes"],
    ["is there a kettle on the boat list", "no"],
  ])("is answered by its form: %s", (question, expected) => {
    expect(asked(question, ...BOAT)).toBe(expected);
  });

  it.each([
    ["is the rope waterproof enough", "about an item"],
    ["who do i still owe", "of another errand"],
    ["is there a kettle i should buy", "for what is not listed, without naming the list"],
    ["is there a lantern on the boat list", "for something that was said beside the list"],
    ["did i say torch or is that done", "for one of two states"],
    ["did the torch come", "for a state that is not known"],
    ["empty my boat list", "an order"],
  ])("is left alone: %s (%s)", (question) => {
    expect(asked(question, "jo has a lantern", ...BOAT)).toBeNull();
  });

  it.each([
    ["is orla an irish name", "baby names we like: Orla, Maeve, Wren"],
    ["qui apporte la sono", "liste pour la kermesse: barnum, friteuse, sono"],
    ["and my fav animal??", "about me: favourite colour teal, favourite animal otter, favourite crisps salted"],
    ["What a colorful day!", "My favorite colors are 1) Blue, 2) Green, 3) Black"],
  ])("is left alone though it has words of the list: %s", (question, list) => {
    expect(asked(question, list)).toBeNull();
  });

  it("takes a word without content for no item", () => {
    const symptoms = ["symptoms to tell the doctor: left hand goes numb, jaw ache", "oh and a cough"];
    expect(asked("what was i going to tell the doctor", ...symptoms)).toBe("left hand goes numb, jaw ache, cough");
  });

  it("is not answered for one list where it names an item of another", () => {
    const lists = replayLists([
      { text: "boat list: rope, flares", session: 1, at: 1 },
      { text: "food list: bread, tea", session: 2, at: 2 },
    ]);
    expect(askLists("is there tea on the boat list", lists, 1)).toBeNull();
    expect(askLists("is there a kettle on the boat list", lists, 1)?.answer).toEqual({ ask: "member", yes: false });
  });
});

describe("a question is left alone", () => {
  it.each([
    "how long does rope keep in salt water",
    "what does a flare cost",
    "who invented the torch",
    "can you tie a rope to a bucket?",
    "which books was i going to read",
    "what is left of the roman empire in wales",
    "write me a poem about a bucket",
  ])("that asks something else: %s", (question) => {
    expect(asked(question, ...BOAT)).toBeNull();
  });

  it("where the list may have changed in a way that was not understood", () => {
    const unsure = [...BOAT, "the rope was mentioned by Bo"];
    expect(asked("whats left to buy", ...unsure)).toBeNull();
    expect(asked("is the rope still on there", ...unsure)).toBeNull();
    expect(asked("is the torch still on there", ...unsure)).toBe("no");
  });

  it("whether something was done that only went", () => {
    expect(asked("have i done the bucket", ...BOAT)).toBeNull();
    expect(asked("is the bucket still on there", ...BOAT)).toBe("no");
  });

  it("without a name where two lists could be meant", () => {
    expect(asked("how many", "boat list: rope, torch", "goals for may: run, swim")).toBeNull();
  });

  it.each([
    ["is oat milk on the list?", "shopping list: milk, eggs, bread"],
    ["how much is the milk?", "shopping list: milk, eggs, bread"],
    ["what do I still need for pancakes?", "shopping list: milk, eggs, bread"],
    ["how many vegetarians are on the guest list?", "guest list: Anna, Ben, Carla"],
    ["what should i wear in spain?", "packing list for Spain: sun cream, swimsuit, towel"],
    ["is the suncream on my packing list?", "packing list for Spain: sun cream, swimsuit, towel"],
  ])("whose words its items do not explain: %s", (question, ...said) => {
    expect(asked(question, ...said)).toBeNull();
  });
});
