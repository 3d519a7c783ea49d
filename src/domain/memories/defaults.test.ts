import { expect, it } from "vitest";
import { isFirstPerson } from "./defaults.ts";

it.each([
  "I like coffee",
  "yesterday I went home",
  "So I'm allergic to nuts",
  "My dog is called Max",
  "Call me Ishmael",
  "Ich wohne in Berlin",
  "Meine Tochter heißt Lea",
  "j'habite à Lyon",
  "Yo prefiero el té",
  "я живу в Москве",
  "我喜欢咖啡",
  "私は東京に住んでいます",
])("%s: of themselves", (text) => {
  expect(isFirstPerson(text)).toBe(true);
});

it.each([
  "The budget is 30 min a day",
  "EU rules apply next year",
  "Meeting on Mon with the lawyer",
  "Uses example.io for mail",
  "Read World War I history",
  "Elizabeth I was queen",
  "Mia has HIV",
  "Tia takes antidepressants",
  "The gold mine is closed",
  "mi casa es blanca",
  "Henry I and the ME department",
  "see chapter I, page 3",
  "Bob loves pizza",
])("%s: of somebody else, or of nobody", (text) => {
  expect(isFirstPerson(text)).toBe(false);
});
