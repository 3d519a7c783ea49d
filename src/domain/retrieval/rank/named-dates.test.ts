import { describe, expect, it } from "vitest";
import { analyse } from "#core/text/analyse";
import { namedDates } from "./named-dates.ts";

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
