import { describe, expect, it } from "vitest";
import { asksAssistant, asksForAmount, asksForKnown, asksForPerson, namesAmount } from "./asked-for.ts";

describe("what a question asks for", () => {
  it.each([
    "how much is the ferry",
    "when do the bins go out",
    "wie viel kostet die Fähre",
    "¿cuánto dura?",
    "combien de billets",
    "多少钱",
  ])("an amount or a time: %s", (question) => expect(asksForAmount(question)).toBe(true));

  it.each(["which ferry do I take", "was für eine Fähre", "quel bateau"])("neither: %s", (question) =>
    expect(asksForAmount(question)).toBe(false),
  );

  it.each(["it costs 12 pounds", "a fiver each", "on Tuesday", "zwei Stunden", "三百块"])("a text has one: %s", (text) =>
    expect(namesAmount(text)).toBe(true),
  );

  it("a text without one", () => {
    expect(namesAmount("the ferry leaves from the old harbour")).toBe(false);
  });

  it.each([
    "what did you recommend for the moths",
    "which paint was it you said",
    "was hast du zum Lack gesagt",
    "¿qué me recomendaste?",
    "qu'est-ce que tu m'as conseillé",
    "你推荐的书是哪本",
  ])("what the assistant said: %s", (question) => expect(asksAssistant(question)).toBe(true));

  it.each(["can you recommend a paint", "what should you call me", "how are you", "what did my brother say"])(
    "not what it said: %s",
    (question) => expect(asksAssistant(question)).toBe(false),
  );

  it.each([
    "who sings alto",
    "the name of the ferry",
    "wie heißt der Hund",
    "¿quién canta?",
    "comment s'appelle le chien",
    "谁唱歌",
  ])("somebody: %s", (question) => expect(asksForPerson(question)).toBe(true));

  it.each(["where did we moor", "what's my berth", "wo liegt das Boot", "¿dónde está?", "quand part le bateau", "船在哪里"])(
    "something known: %s",
    (question) => expect(asksForKnown(question)).toBe(true),
  );

  it.each(["suggest a soup for tonight", "plan a walk by the sea", "schlag eine Suppe vor"])("advice: %s", (question) => {
    expect(asksForKnown(question)).toBe(false);
    expect(asksForPerson(question)).toBe(false);
  });
});
