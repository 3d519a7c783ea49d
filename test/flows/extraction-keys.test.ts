import { beforeEach, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { list } from "./memory-requests.ts";
import { append } from "./requests.ts";

let h: Harness;
beforeEach(async () => {
  h = await createHarness({ replace: () => ({ log: () => undefined }) });
});

/** Each text is said by one user in a session of its own, `days` apart. Returns the content of each key. */
async function keysAfter(texts: readonly string[], days = 2): Promise<Record<string, string>> {
  for (const [i, content] of texts.entries()) {
    const occurredAt = new Date(Date.now() - (texts.length - i) * days * 86_400_000).toISOString();
    await append(h, `chat ${i}`, { userId: "ann", messages: [{ role: "user", content, occurredAt }] });
    await h.settle();
  }
  const { items } = (await list(h, "userId=ann")).json;
  return Object.fromEntries(items.flatMap(({ key, content }) => (key === null ? [] : [[key, content]])));
}

describe("a key of the speaker is not taken by what is said", () => {
  it.each([
    ["identity:diet", "I'm vegetarian", "My brother is not vegetarian anymore."],
    ["identity:work", "I work at Bosch as a welder", "My flatmate got laid off at Bosch."],
    ["identity:work", "I work at Bosch as a welder", "My friend got sacked from Bosch yesterday."],
    ["identity:work", "Ich arbeite bei Bosch", "Mein Kollege hat bei Bosch gekündigt"],
    ["identity:diet", "Ich bin Vegetarier", "Mein Bruder ist nicht mehr Vegetarier"],
  ])("of others: %s of %s, %s", async (key, own, other) => {
    expect((await keysAfter([own, other]))[key]).toBe(own);
  });

  it.each([
    ["identity:work", "I work at Bosch as a welder", "I nearly quit my job at Bosch yesterday"],
    ["identity:work", "I work at Bosch as a welder", "I dreamt that I got laid off"],
  ])("of what did not happen: %s of %s, %s", async (key, own, unreal) => {
    expect((await keysAfter([own, unreal]))[key]).toBe(own);
  });
});

describe("a key goes back to a value that it had before", () => {
  it.each([
    ["identity:home", "I live in Bristol", "I moved to Cardiff last week", "Cardiff didn't work out, I'm back in Bristol"],
    ["identity:work", "I work at Siemens", "I work at Bosch now", "I'm back at Siemens since Monday"],
    ["identity:home", "Ich wohne in Graz", "Ich bin nach Wien gezogen", "ich wohne wieder in Graz"],
    ["identity:partner", "Daniel and I got engaged", "Daniel and I broke up", "Daniel and I are back together"],
  ])("%s: %s; %s; %s", async (key, first, second, third) => {
    expect((await keysAfter([first, second, third]))[key]).toBe(third);
  });

  it("but not for a weekend", async () => {
    const said = ["I live in Bristol", "I moved to Cardiff last week", "I'm back in Bristol for the weekend"];
    expect((await keysAfter(said))["identity:home"]).toBe(said[1]);
  });
});

it("a value is corrected by the next words", async () => {
  const [said, meant] = ["I moved to Pankow", "wait no, I mean Prenzlauer Berg"];
  const minutes = 1 / 1440;
  expect((await keysAfter([said, meant], minutes))["identity:home"]).toMatch(/Prenzlauer Berg/u);
});

it("who leaves one of two jobs keeps the other", async () => {
  const both = "I have two jobs: barista at Kaldi and cleaner at the school";
  expect(await keysAfter([both, "Quit the job at Kaldi."])).not.toHaveProperty("identity:work");
  expect((await list(h, "userId=ann")).json.items.map(({ content }) => content)).toContain(both);
});
