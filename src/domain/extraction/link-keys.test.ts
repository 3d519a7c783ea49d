import { describe, expect, it } from "vitest";
import { type Keyed, keyAmong } from "./link-keys.ts";

const NOW = 1_800_000_000_000;
const HOUR = 3_600_000;
const memory = (content: string, rest: Partial<Keyed> = {}): Keyed => ({
  ...{ content, key: null, validFrom: NOW - HOUR, earlier: [] },
  ...rest,
});
const keyOf = (content: string, known: readonly Keyed[], key: string | null = null) => keyAmong({ content, key, at: NOW }, known);

describe("the key of a statement among earlier memories", () => {
  const home = memory("I moved to Cardiff last week", { key: "identity:home", earlier: ["I live in Bristol"] });
  const work = memory("I work at Bosch now", { key: "identity:work", earlier: ["I work at Siemens"] });

  it.each([
    ["Cardiff didn't work out, I'm back in Bristol", "identity:home"],
    ["I'm back at Siemens since Monday", "identity:work"],
    ["I'm back in Cardiff", null],
    ["I'm back in Bristol for the weekend", null],
    ["my sister is back in Bristol", null],
    ["I like Bristol", null],
  ])("goes back to a value that it had: %s", (content, key) => {
    expect(keyOf(content, [home, work])).toBe(key);
  });

  const band = { key: "preference:favorite_band", validFrom: NOW - 60_000 };
  it.each([
    ["Not Pulp, I meant Suede", memory("My favourite band is Pulp", band), band.key],
    ["I mean Prenzlauer Berg", memory("I moved to Pankow", { key: "identity:home", validFrom: NOW - 60_000 }), "identity:home"],
    ["I mean Prenzlauer Berg", memory("I moved to Pankow", { key: "identity:home" }), null],
  ])("corrects what was said just now: %s after %o", (content, known, key) => {
    expect(keyOf(content, [known])).toBe(key);
  });

  it("is none if one of several values ends, or a value that the key does not have", () => {
    const quit = "Quit the job at Kaldi";
    expect(keyOf(quit, [memory("I have two jobs: barista at Kaldi and cleaner at the school")], "identity:work")).toBeNull();
    expect(keyOf(quit, [work], "identity:work")).toBeNull();
    expect(keyOf("Quit the job at Bosch", [work], "identity:work")).toBe("identity:work");
    expect(keyOf("I got laid off on Friday", [work], "identity:work")).toBe("identity:work");
  });
});
