import { expect, it } from "vitest";
import { mentionsIn } from "./mentions.ts";
import type { Participant } from "./read-episodes.ts";

const person = (externalId: string, name: string): Participant => ({
  ...{ userId: 1, externalId, personId: 1, personPublicId: externalId, name, names: [name, externalId], keys: [] },
  ...{ takesPart: true, isMember: false, tookPart: true, hadJoined: true },
});
const people = ["Bob", "Drew", "Star", "Max", "May", "Mark", "Dad", "Lee", "Lee Ann", "Miles", "王伟"].map((name, i) =>
  person(`u${i}`, name),
);

it.each([
  ["@u0 loves pizza", ["@u0"]],
  ["drew is veggie now", ["Drew"]],
  ["we gave Drew the key", ["Drew"]],
  ["Bob's off nuts", ["Bob"]],
  ["bring the key to Lee Ann", ["Lee Ann"]],
])("“%s” mentions somebody", (text, names) => {
  expect(mentionsIn(text, { people })).toEqual(names);
});

it.each([
  "I drew a star on my cast",
  "my max budget is 50k",
  "I moved in May",
  "300 miles from home",
  "my dad has cancer",
  "Mark my words",
  "seit Mai im Max",
  "my friend Mark has a cold",
  "write to info@u0.example",
  "u3 is the code",
])("“%s” mentions nobody", (text) => {
  expect(mentionsIn(text, { people: people.filter(({ externalId }) => !text.startsWith(externalId)) })).toEqual([]);
});
