import { expect, it } from "vitest";
import { isOfTheMoment } from "./of-the-moment.ts";

it.each([
  "Bob is presenting next",
  "Bob's up, he's on next",
  "We are in the lobby now",
  "Kim is out of the office today",
  "Anna ist als Nächste dran",
  "Ich bin gerade im Zug",
  "Estoy en una reunión ahora mismo",
  "Paul est en réunion en ce moment",
  "小王现在在开会",
])("%s is of the moment", (content) => {
  expect(isOfTheMoment({ content, type: "knowledge" })).toBe(true);
});

it.each([
  "Bob loves pizza",
  "Bob lives next to the station",
  "Snow is nice",
  "Kim knows nowhere better",
  "我喜欢披萨",
  "Todayland is a park",
])("%s lasts", (content) => {
  expect(isOfTheMoment({ content, type: "knowledge" })).toBe(false);
});

it.each(["context", "observation"])("what is stored as %s is of the moment", (type) => {
  expect(isOfTheMoment({ content: "Bob loves pizza", type })).toBe(true);
});
