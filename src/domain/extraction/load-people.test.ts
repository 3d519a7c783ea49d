import { describe, expect, it } from "vitest";
import { chooseByRelationship, participantNamed } from "./load-people.ts";
import type { Participant, Place } from "./read-episodes.ts";

const participant = (
  externalId: string,
  keys: string[],
  takesPart = true,
  presence = { tookPart: true, hadJoined: true },
): Participant => ({
  ...{ userId: 1, externalId, personId: 1, personPublicId: `per_${externalId}`, name: externalId, names: keys },
  ...{ keys, takesPart, isMember: false, ...presence },
});
const place = (...people: Participant[]): Place => ({
  ...{ sessionId: 1, externalId: "team", kind: "group", ownerId: 1, project: null },
  people,
});

describe("a name in a session", () => {
  const [bob, sam, other, gone] = [
    participant("bob", ["bob", "robert"]),
    participant("u1", ["sam"]),
    participant("u2", ["sam"]),
    participant("u3", ["lea", "robert"], false),
  ];

  const later = participant("u4", ["paul", "robert"], true, { tookPart: false, hadJoined: false });
  const returned = participant("u5", ["kim", "sam"], true, { tookPart: false, hadJoined: true });

  it.each([
    ["Paul", [bob, later], "nobody"],
    ["@u4", [bob, later], "nobody"],
    ["robert", [bob, later], "per_bob"],
    ["Kim", [bob, returned], "nobody"],
    ["sam", [sam, returned], null],
  ])("%s is nobody who was not there when it was said", (name, people, expected) => {
    expect(participantNamed(name, place(...people))).toBe(expected);
  });

  it.each([
    ["ROBERT", [bob], "per_bob"],
    ["@u1", [sam, other], "per_u1"],
    ["sam", [sam, other], null],
    ["robert", [bob, gone], null],
    ["lea", [bob, gone], "nobody"],
    ["@u3", [bob, gone], "nobody"],
    ["Carol", [bob], "nobody"],
  ])("%s is whoever alone goes by it", (name, people, expected) => {
    expect(participantNamed(name, place(...people))).toBe(expected);
  });
});

describe("persons of one name", () => {
  const person = (publicId: string, relationship: string | null) => ({ key: "sarah", publicId, relationship });

  it.each([
    [[person("a", "wife")], null, "a"],
    [[person("a", "wife"), person("b", "boss")], "Boss", "b"],
    [[person("a", "wife"), person("b", "boss")], null, null],
    [[person("a", "wife"), person("b", "wife")], "wife", "a"],
    [[person("a", null), person("b", null)], "wife", "a"],
  ])("are distinguished by their relationship, or not at all", (known, relationship, expected) => {
    expect(chooseByRelationship(known, relationship)).toBe(expected);
  });
});
