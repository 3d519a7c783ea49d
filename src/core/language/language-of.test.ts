import { describe, expect, it } from "vitest";
import { isOtherLanguage, languageOf, languageProfile } from "./language-of.ts";

describe("languages", () => {
  it.each([
    ["The cat is on the table and I like it", "en"],
    ["Ich mag keinen Kaffee und trinke lieber Tee", "de"],
    ["Me gusta el té y no bebo café", "es"],
    ["J'ai une sœur qui est dans le sud avec mon père", "fr"],
    ["Mi piace il tè e non bevo caffè", "it"],
    ["Eu gosto de chá e não bebo café", "pt"],
    ["Ik heb een kat en woon bij mijn zus", "nl"],
    ["Prefers dark mode", null],
    ["Docker, Kubernetes, Postgres", null],
    ["", null],
  ])("%s: %s", (text, language) => {
    expect(languageOf(text)).toBe(language);
  });

  it.each([
    ["Likes tea", "I like tea", false],
    ["Likes tea", "我喜欢喝茶", true],
    ["喜欢喝茶", "I like tea", true],
    ["Любит чай", "I like tea", true],
    ["東京に住んでいる", "私は東京に住んでいます", false],
    ["Uses TypeScript", "我用 TypeScript 和 Postgres 写所有的代码", false],
    ["tea", "我喜欢喝茶", true],
    ["A1", "我喜欢喝茶", false],
    ["12:30", "我喜欢喝茶", false],
    ["Mag Tee und keinen Kaffee", "Yes", false],
    ["Likes tea", "42", false],
  ])("%j after %j: other language is %s", (content, said, other) => {
    expect(isOtherLanguage(content, languageProfile(said))).toBe(other);
  });
});
