import { expect, it } from "vitest";
import { leadOf, leadsOf } from "./prompt-leads.ts";

const asked = (lead: string, count: number) => Array.from({ length: count }, (_, i) => `${lead}${"abcdefghijklmnop"[i]} ${i}`);

it("takes the words that nearly all titles with the same first word begin with", () => {
  expect(leadsOf(asked("Eingegebener Prompt: ", 3))).toEqual(["Eingegebener Prompt: ", "Prompted "]);
  // One of ten goes on otherwise, and one of five.
  expect(leadsOf([...asked("You asked: ", 9), "You liked it"])).toContain("You asked: ");
  expect(leadsOf([...asked("You asked: ", 8), "You liked it", "You left"])).not.toContain("You asked: ");
});

it("takes no word that too few titles begin with: two, or less than a fifth", () => {
  expect(leadsOf(asked("Preguntaste: ", 2))).toEqual(["Prompted "]);
  expect(leadsOf([...asked("Prompted ", 16), ...asked("Rated ", 3)])).toEqual(["Prompted "]);
});

it("takes no part of a prompt that was sent again and again", () => {
  expect(leadsOf(["Prompted stop", "Prompted stop", "Prompted stop"])).toEqual(["Prompted "]);
});

it("finds the longest lead of a title, and the usual one in an export that is too small to show any", () => {
  expect(leadOf("You asked: Why?", ["You ", "You asked: "])).toBe("You asked: ");
  expect(leadOf("Prompted Why?", leadsOf(["Prompted Why?"]))).toBe("Prompted ");
  expect(leadOf("Gave feedback", leadsOf([]))).toBeNull();
});
