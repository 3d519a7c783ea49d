import { expect, it } from "vitest";
import { lastNamedDay } from "./named-day.ts";

const AT = Date.UTC(2026, 10, 28, 12);

it.each([
  ["The wedding is on 14 June.", "2027-06-15"],
  ["I have an exam on December 3rd", "2026-12-04"],
  ["I'm on parental leave until March", "2027-04-01"],
  ["the lease ends on 1 February 2027", "2027-02-02"],
  ["Die Hochzeit ist am 14. Juni", "2027-06-15"],
  ["Estoy de baja hasta marzo", "2027-04-01"],
  ["Le concert est le 14 février", "2027-02-15"],
  ["婚礼在6月14日", "2027-06-15"],
  ["Has an exam on 2026-12-14", "2026-12-15"],
  ["from 3 December until 5 January", "2027-01-06"],
])("the last day ahead that is named in “%s” ends at %s", (text, day) => {
  expect(new Date(lastNamedDay(text, AT) ?? 0).toISOString().slice(0, 10)).toBe(day);
});

it.each(["I had dinner with Sarah on Tuesday", "I may move", "march on", "the lease ended on 1 February 2020", "十二点见"])(
  "no day ahead is named in “%s”",
  (text) => expect(lastNamedDay(text, AT)).toBeNull(),
);
