import { describe, expect, it } from "vitest";
import { queryTerms } from "#core/text/query";
import { BOOST, boost, type EpisodeCandidate as Candidate } from "./boost.ts";

const NOW = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

function turn(id: number, text: string, more: Partial<Candidate> = {}): Candidate {
  return { kind: "episode", id, score: 10, text, speaker: null, role: "user", occurredAt: 0, ...more };
}

function factors(question: string, candidate: Candidate, others: Candidate[] = []): Record<string, number> {
  const boosted = boost(queryTerms(question), [candidate, ...others], { adjust: true, now: NOW });
  const one = boosted.find(({ id }) => id === candidate.id);
  return Object.fromEntries((one?.factors ?? []).map(({ name, value }) => [name, value]));
}

describe("boost", () => {
  it("multiplies the score by its factors and sorts by the product", () => {
    const boosted = boost(queryTerms("Which dog was adopted?"), [turn(1, "A dog?"), turn(2, "A dog.")], {
      adjust: true,
      now: NOW,
    });
    expect(boosted.map(({ id }) => id)).toEqual([2, 1]);
    expect(boosted[1]).toMatchObject({
      score: 10 * BOOST.question,
      factors: [{ name: "question", value: BOOST.question }],
    });
  });

  it("keeps what else a candidate carries", () => {
    expect(boost(queryTerms("dog"), [{ ...turn(1, "dog"), rowid: 5 }], { adjust: true, now: NOW })[0]?.rowid).toBe(5);
  });

  it("changes no score without `adjust`, and puts the newer of equals first", () => {
    const boosted = boost(queryTerms("When did I see the dog?"), [turn(1, "I saw it yesterday?"), turn(2, "dog")], {
      adjust: false,
      now: NOW,
    });
    expect(boosted.map(({ id, score, factors: named }) => [id, score, named])).toEqual([
      [2, 10, []],
      [1, 10, []],
    ]);
  });

  it("disfavours questions only", () => {
    const { question, time, vagueTime, firstPerson, speaker, place, day, month, ownWords, recency, recencyNow } = BOOST;
    expect(question).toBeLessThan(1);
    for (const factor of [vagueTime, firstPerson, speaker, place, month, ownWords]) expect(factor).toBeGreaterThan(1);
    expect(time).toBeGreaterThan(vagueTime);
    expect(day).toBeGreaterThan(month);
    expect(recencyNow).toBeGreaterThan(recency);
  });

  it("prefers a vague word of time less", () => {
    expect(factors("When was it?", turn(1, "It took years")).time).toBe(BOOST.vagueTime);
    expect(factors("When was it?", turn(1, "It was nice")).time).toBeUndefined();
  });

  it.each(["What?", "什么？", "ماذا؟"])("knows %s for a question", (text) => {
    expect(factors("dog", turn(1, text))).toEqual({ question: BOOST.question });
  });

  it.each(["We went there last week", "gestern im Park", "昨天去了", "去年の夏", "เมื่อวาน", "in 2021"])(
    "prefers %j when a time is asked for",
    (text) => {
      expect(factors("When was it?", turn(1, text)).time).toBe(BOOST.time);
      expect(factors("Who was it?", turn(1, text)).time).toBeUndefined();
    },
  );

  it.each(["I like it", "that is my dog", "我喜欢", "mein Hund"])("prefers %j, where somebody speaks of themselves", (text) => {
    expect(factors("dog", turn(1, text)).firstPerson).toBe(BOOST.firstPerson);
  });

  it("takes no letter of another word for the first person", () => {
    expect(factors("dog", turn(1, "Mimi said it is fine"))).toEqual({});
  });

  it("prefers the speaker whom the question names", () => {
    const anna = turn(1, "dog", { speaker: "Anna Müller" });
    const bob = turn(2, "dog", { speaker: "Bob" });
    expect(factors("What is Anna's dog called?", anna, [bob]).speaker).toBe(BOOST.speaker);
    expect(factors("What is Anna's dog called?", bob, [anna]).speaker).toBeUndefined();
    expect(factors("Whose dog met Anna's and Bob's?", anna, [bob]).speaker).toBeUndefined();
  });

  it("takes no stop word for a name", () => {
    expect(factors("Will the dog come?", turn(1, "dog", { speaker: "Will" }))).toEqual({});
  });

  it("takes the score of a speaker's name away: it is how people address each other", () => {
    const question = queryTerms("What did Anna paint?");
    expect(question.terms.map(({ term }) => term)).toEqual(["anna", "paint"]);
    const named = turn(1, "Thanks Anna", { speaker: "Bob", terms: [8, 2], score: 10 });
    const [anna] = [turn(2, "painted", { speaker: "Anna", terms: [0, 5], score: 5 })];
    const boosted = boost(question, [named, anna], { adjust: true, now: NOW });
    expect(boosted.map(({ id }) => id)).toEqual([2, 1]);
    expect(boosted[1]?.score).toBeCloseTo(2);
  });

  it("keeps the score of a name when the question holds nothing else", () => {
    expect(
      factors("Anna?", turn(1, "Hello Anna", { speaker: "Bob", terms: [10] }), [turn(2, "dog", { speaker: "Anna" })]),
    ).toEqual({});
  });

  it("prefers a place when asked where", () => {
    expect(factors("Where did it happen?", turn(1, "We were in Rome")).place).toBe(BOOST.place);
    expect(factors("Where did it happen?", turn(1, "It was in the morning")).place).toBeUndefined();
    expect(factors("How did it happen?", turn(1, "We were in Rome")).place).toBeUndefined();
  });

  it("prefers the asker's own words for a question in the first person", () => {
    expect(factors("What is my name?", turn(1, "Sam", { role: "user" })).ownWords).toBe(BOOST.ownWords);
    expect(factors("What is my name?", turn(1, "Sam", { role: "assistant" })).ownWords).toBeUndefined();
  });

  it("prefers the day or the month that the question names", () => {
    const said = (day: number) => turn(1, "dog", { occurredAt: Date.UTC(2023, 4, day, 12) });
    expect(factors("What happened on 16 May 2023?", said(16)).date).toBe(BOOST.day);
    expect(factors("What happened on May 16th, 2023?", said(18)).date).toBe(BOOST.day);
    expect(factors("What happened on 16 May 2023?", said(25)).date).toBeUndefined();
    expect(factors("What happened in May 2023?", said(25)).date).toBe(BOOST.month);
    expect(factors("What happened in June 2023?", said(25)).date).toBeUndefined();
    expect(factors("What happened in 2023?", said(25)).date).toBeUndefined();
  });

  it("prefers what is new, most when the question says now, and not for questions about the past", () => {
    const fresh = turn(1, "dog", { occurredAt: NOW });
    const old = turn(1, "dog", { occurredAt: NOW - 2_000 * DAY_MS });
    expect(factors("dog", fresh).recency).toBe(1 + BOOST.recency);
    expect(factors("dog now", fresh).recency).toBe(1 + BOOST.recencyNow);
    expect(factors("dog", old).recency ?? 1).toBeCloseTo(1, 6);
    expect(factors("when dog", fresh).recency).toBeUndefined();
    expect(factors("dog in May 2023", fresh).recency).toBeUndefined();
    expect(factors("dog", turn(1, "dog", { occurredAt: NOW + DAY_MS })).recency).toBe(1 + BOOST.recency);
  });
});
