import { describe, expect, it } from "vitest";
import { asksAssistant, asksForAmount, namesAmount } from "./asked-for.ts";

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
});
