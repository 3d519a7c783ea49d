import { describe, expect, it } from "vitest";
import { analyse } from "#core/text/analyse";
import { namedDates, nameKeysIn } from "./named.ts";

const dates = (question: string) =>
  namedDates(analyse(question)).map(
    ({ from, to, unit }) => `${unit} ${new Date(from).toISOString().slice(0, 10)} ${new Date(to).toISOString().slice(0, 10)}`,
  );

describe("namedDates", () => {
  it.each([
    ["on 16 March 2022", "day 2022-03-16 2022-03-19"],
    ["on March 16th, 2022", "day 2022-03-16 2022-03-19"],
    ["in Sept 2022", "month 2022-09-01 2022-10-01"],
    ["in December, 2022", "month 2022-12-01 2023-01-01"],
    ["3 dogs in June 2023", "month 2023-06-01 2023-07-01"],
    ["back in 2021", "year 2021-01-01 2022-01-01"],
  ])("reads %j", (question, period) => {
    expect(dates(question)).toEqual([period]);
  });

  it("reads every date, and none where no year is named", () => {
    expect(dates("between May 2022 and June 2023")).toEqual(["month 2022-05-01 2022-06-01", "month 2023-06-01 2023-07-01"]);
    expect(dates("3 dogs in May, 1500 people")).toEqual([]);
  });
});

describe("nameKeysIn", () => {
  it.each([
    ["What does Bob like?", ["bob"]],
    ["tell me about anna maria lopez", ["anna maria lopez", "anna"]],
    ["Does José play?", ["jose"]],
    ["李小龙喜欢什么", ["李小龙"]],
    ["что любит Мария", ["мария"]],
    ["I saw Will yesterday", ["will"]],
  ])("%s may name %j", (question, names) => {
    expect(nameKeysIn(question)).toEqual(expect.arrayContaining(names));
  });

  it("does not take small words for names", () => {
    expect(nameKeysIn("what will it be")).not.toContain("will");
  });

  it("reads no more of a run without blanks than it asks for", () => {
    const run = Array.from({ length: 16_000 }, (_, i) => String.fromCharCode(0x4e00 + i)).join("");
    expect(nameKeysIn(run)).toEqual(nameKeysIn(run.slice(0, 500)));
  });

  it("asks for a bounded number of names", () => {
    expect(nameKeysIn("word ".repeat(5000)).length).toBeLessThanOrEqual(200);
    expect(nameKeysIn("龙".repeat(5000)).length).toBeLessThanOrEqual(200);
  });
});
