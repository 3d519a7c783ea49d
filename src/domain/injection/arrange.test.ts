import { describe, expect, it } from "vitest";
import { type Arrangement, arrange } from "./arrange.ts";
import type { Arrangeable } from "./line.ts";

let number = 0;
const said = (text: string, more: Partial<Arrangeable & { day: number; role: string; score: number }> = {}): Arrangeable => {
  number += 1;
  const { day = 1, role = "user", score = 0, ...others } = more;
  const occurredAt = new Date(Date.UTC(2026, 2, day, 9, 0, number % 60)).toISOString();
  const view = { role, score, sessionId: `day ${day}` };
  return {
    id: `e${number}`,
    kind: "episode",
    text,
    occurredAt,
    episodeId: `e${number}`,
    isInstruction: false,
    isOfOther: false,
    behind: null,
    likeness: null,
    view,
    ...others,
  };
};
const arranged = (query: string, more: Partial<Arrangement<Arrangeable>>) =>
  arrange({ found: [], latest: [], isShortTalk: true, maxTokens: 1000, query, ...more });
const textsOf = (query: string, more: Partial<Arrangement<Arrangeable>>) => arranged(query, more).items.map(({ text }) => text);

describe("what a block leaves out", () => {
  it("acknowledgements, the user's own questions, and says why", () => {
    const found = [
      said("thanks, ok", { score: 0.9 }),
      said("where is the otter?", { score: 0.8 }),
      said("The otter lives under the weir.", { score: 0.1 }),
    ];
    const { items, leftOut } = arranged("otter", { found });
    expect(items.map(({ text }) => text)).toEqual(["The otter lives under the weir."]);
    expect(leftOut).toEqual(found.slice(0, 2).map(({ id }) => ({ id, why: "says_nothing" })));
  });

  it("but not what somebody else asked", () => {
    expect(textsOf("otter", { found: [said("where is the otter?", { score: 0.8, isOfOther: true })] })).toHaveLength(1);
  });

  it("of the latest, what the assistant said, unless that is asked for", () => {
    const latest = [said("Try a wool blanket for the otter box.", { role: "assistant" }), said("I built a box for the otter.")];
    expect(textsOf("what keeps it warm", { latest })).toEqual(["I built a box for the otter."]);
    expect(textsOf("what did you suggest to keep it warm", { latest })[0]).toBe("Try a wool blanket for the otter box.");
  });

  it("the latest statements of long talk", () => {
    expect(textsOf("heron", { latest: [said("I built a box for the otter.")], isShortTalk: false })).toEqual([]);
  });

  it("in a small budget, all that is much weaker than the best", () => {
    const found = [
      said("The otter lives under the weir.", { score: 0.9 }),
      said("The weir was repaired in May.", { score: 0.1 }),
    ];
    const small = arranged("otter", { found, isShortTalk: false, maxTokens: 400 });
    expect(small.items).toHaveLength(1);
    expect(small.leftOut).toEqual([{ id: found[1]?.id, why: "weaker" }]);
    expect(textsOf("otter", { found, isShortTalk: false })).toHaveLength(2);
  });
});

describe("of short talk, what is hardly ever needed", () => {
  const talk = [
    said("I row on the canal with my brother Emil on Sundays", { day: 2, likeness: 0.1 }),
    said("Give me three names for a goldfish in a cartoon", { day: 3, likeness: 0.1 }),
    said("I am allergic to walnuts since I was small", { day: 4, likeness: 0.1 }),
    said("We repainted the boat shed in green last month", { day: 5, likeness: 0.1 }),
    said("The kettle at work is broken and nobody mends it", { day: 6, likeness: 0.1 }),
    said("My landlord wants the hedge cut before winter", { day: 7, likeness: 0.1 }),
  ];

  it("a small budget has little of what no question speaks of", () => {
    expect(textsOf("how far is the moon", { latest: talk, maxTokens: 450 }).length).toBeLessThan(2);
  });

  it("and what it does speak of", () => {
    const latest = talk.map((item, i) => (i === 0 ? { ...item, likeness: 0.9 } : item));
    expect(textsOf("who do I row with on the canal", { latest, maxTokens: 450 })[0]).toMatch(/^I row/);
  });
});

describe("the order of a block", () => {
  it("the user's words before the assistant's", () => {
    const found = [
      said("Otters need clean rivers and many fish.", { role: "assistant", score: 0.8 }),
      said("My otter eats trout.", { score: 0.6 }),
    ];
    expect(textsOf("what do otters eat", { found, isShortTalk: false })[0]).toBe("My otter eats trout.");
  });

  it("what was said since comes first where little was said", () => {
    const found = [said("I rent a loft above the bakery in Ulm.", { day: 1, score: 1 })];
    const latest = [said("The boxes are unpacked, Passau has a fine view of the river.", { day: 20 })];
    expect(textsOf("where do I rent", { found, latest })[0]).toMatch(/^The boxes/);
  });

  it("a number comes first where one is asked for", () => {
    const latest = [
      said("We slept in a tent by the rough sea", { day: 2 }),
      said("The pitch there costs 31 a night", { day: 2 }),
      said("The ferry to the island was white and lovely", { day: 2 }),
      said("The path along the cliff was steep and windy", { day: 2 }),
    ];
    expect(textsOf("how much is camping", { latest })[0]).toMatch(/31/);
  });

  it("a passage stands behind the memory that replaced a part of it", () => {
    const memory = said("Lives in Passau", { kind: "memory", score: 0.2, id: "mem_1" });
    const passage = said("We live in Ulm, and the cat hates the trams there.", { score: 0.9, behind: "mem_1" });
    expect(textsOf("where do I live", { found: [passage, memory], isShortTalk: false })).toEqual([memory.text, passage.text]);
  });

  it("a bare answer stands behind its question", () => {
    const asked = said("Which day shall I note for the otter survey?", { role: "assistant", day: 3 });
    const answer = said("thursday", { day: 3, score: 0.5 });
    expect(textsOf("when is the survey", { found: [answer], latest: [asked] })).toEqual([asked.text, answer.text]);
  });
});

it("a short word of a change comes before a long old statement that is more like the question", () => {
  const long = "My car insurance renews in March with Aviva and costs 420 pounds a year, far too much for an old Fiesta";
  const found = [said(long, { day: 1, score: 1, likeness: 0.7 })];
  const latest = [said("It's 390 with Direct Line now.", { day: 9, likeness: 0.2 })];
  for (const maxTokens of [200, 1000])
    expect(textsOf("How much is my car insurance?", { found, latest, maxTokens })[0]).toMatch(/^It's 390/);
});
