import { describe, expect, it } from "vitest";
import { saysOneThing } from "./one-thing.ts";

describe("says surely one thing", () => {
  it.each([
    "I'm vegetarian",
    "I'm not vegetarian any more",
    "I've been vegan since 2019",
    "I live in Bern, Switzerland",
    "I live in a flat in Ghent",
    "I moved to Lyon last month",
    "I quit my job at Bosch",
    "starting at the post office on Monday",
    "My landlord is now Mrs. Price",
    "my favorite color is teal",
    "My kayak course is on Tuesdays at 6:30",
    "Honestly, I live in Ghent, thanks",
    "Ich wohne seit 2019 in Graz",
    "Soy vegetariana",
    "Je vis à Nantes",
    "我住在青岛",
    "I live in New York City",
    "I work as a software engineer",
    "I work at Bosch as a welder",
    "I work at Pelham Shipyard",
    "I'm married to Dan",
    "I've lived in Bern since 2019",
    "my sister's name is Anna",
    "My favourite snack is flapjack",
    "Ich arbeite als Köchin",
    "Mein Vermieter heißt jetzt Herr Ohm",
    "Trabajo como cocinera",
    "Me mudé a Bilbao",
    "Ma couleur préférée est le turquoise",
    "我是护士",
    "我最喜欢的颜色是绿色",
  ])("%s", (text) => {
    expect(saysOneThing(text)).toBe(true);
  });
});

describe("may say more", () => {
  it.each([
    "I'm vegetarian and allergic to nuts",
    "I'm vegetarian, allergic to nuts",
    "I'm vegetarian (nut allergy)",
    "I'm vegetarian - allergic to nuts",
    "I'm a vegetarian with a nut allergy",
    "I'm a vegetarian who is allergic to nuts",
    "I'm a deaf vegetarian",
    "I live in Ghent with my asthmatic son",
    "I live in Ghent near my diabetic mother",
    "I live in Ghent. My son has asthma.",
    "I live in Ghent, deaf",
    "As a type 1 diabetic I eat keto",
    "I live in Ghent with Tom",
    "I'm from Braga and 41",
    "Ich bin Vegetarier, Nussallergiker",
    "Ich arbeite als Koch, Diabetiker",
    "Ich wohne in Graz mit meiner zuckerkranken Mutter",
    "Soy vegetariana y celíaca",
    "Vivo en Sevilla con mi madre diabética",
    "Je suis végétarienne mais allergique aux noix",
    "Je vis à Nantes malgré mes migraines",
    "I'm a diabetic pilot",
    "I'm a deaf pilot",
    "I'm an epileptic pilot",
    "I'm a Muslim pilot",
    "I'm a one-armed pilot",
    "I'm a recovering-alcoholic pilot",
    "I work at Bosch as a diabetic",
    "I work as a welder on Prozac",
    "I live in Bern for dialysis",
    "I live in Bern on oxygen",
    "I live in Bern as a single parent",
    "I live in Bern under witness protection",
    "I moved to Bern for chemo",
    "I work at Pelham Shipyard for 91,000",
    "I work at Pelham Shipyard for 4000",
    "I'm married to HIV-positive Dan",
    "My favourite snack is nut-free flapjack",
    "My diabetic sister's name is Anna",
    "Ich bin wegen der Dialyse nach Bern gezogen",
    "Ich wohne in Graz zur Chemo",
    "Ich arbeite als gehörlose Köchin",
    "Vivo en Madrid por la diálisis",
    "Soy piloto diabético",
    "J'habite à Lyon pour ma dialyse",
    "Je suis pilote diabétique",
    "我是糖尿病飞行员",
    "我搬到北京做透析",
    "我吃素，对坚果过敏",
    "我住在青岛，儿子有哮喘",
  ])("%s", (text) => {
    expect(saysOneThing(text)).toBe(false);
  });

  it("where nothing is said, and where so many words are said that it is not sure", () => {
    expect(saysOneThing("")).toBe(false);
    expect(saysOneThing("I work nights guarding old paper mills downriver beside frozen canals")).toBe(false);
  });
});

it("several clauses say one thing where each states it", () => {
  const text = "I've left Ghent, I live in Liège now";
  expect(saysOneThing(text)).toBe(false);
  expect(
    saysOneThing(text, [
      { start: 0, end: 14 },
      { start: 16, end: text.length },
    ]),
  ).toBe(true);
  expect(saysOneThing(text, [{ start: 0, end: 14 }])).toBe(false);
});
