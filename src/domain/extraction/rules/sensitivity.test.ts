import { describe, expect, it } from "vitest";
import { sensitivityOf } from "./sensitivity.ts";

describe("sensitivity", () => {
  it.each([
    "I have anxiety",
    "my salary is not great",
    "I'm pregnant, due in August",
    "I make $150k",
    "I get 3,000 euros a month",
    "I'm allergic to nuts",
    "I go to church on Sundays",
    "I voted Labour",
    "I'm bisexual",
    "I need to see a doctor on Monday",
    "ich bin schwanger",
    "Ich habe einen Termin beim Arzt",
    "Ich verdiene zu wenig",
    "soy alérgica a los cacahuetes",
    "mi sueldo es bajo",
    "je suis enceinte",
    "Je suis allergique aux noix",
    "我对花生过敏",
    "我的工资很低",
  ])("of “%s” is sensitive", (content) => {
    expect(sensitivityOf(content)).toBe("sensitive");
  });

  it.each(["I'm looking for a new job", "I'm divorced", "I hate my job", "ich bin geschieden", "estoy divorciada", "我离婚了"])(
    "of “%s” is personal",
    (content) => {
      expect(sensitivityOf(content)).toBe("personal");
    },
  );

  it.each([
    "I prefer dark mode",
    "I'm a doctor",
    "ich bin Ärztin",
    "Ich arbeite als Krankenpflegerin",
    "I work at the bank",
    "I ran 10 km in 50 minutes",
    "my dentist is called Ida",
    "I love periodicals",
    "Sarah is my wife",
    "我喜欢喝绿茶",
  ])("of “%s” is none", (content) => {
    expect(sensitivityOf(content)).toBeNull();
  });
});
