import { expect, it } from "vitest";
import { isOwnLabel } from "./normalize.ts";

it("a label is one's own by any of one's names, whatever its case, width and accents", () => {
  const names = ["José Pérez", "Pepe", "u-7", "🦊"];
  for (const label of ["josé pérez", "JOSE PEREZ", "Ｐｅｐｅ", "U 7", "🦊"]) expect(isOwnLabel(label, names), label).toBe(true);
});

it("a label that is another's name, part of one's own, or no name is not", () => {
  const names = ["José Pérez", "Pepe", "u-7", "🦊"];
  for (const label of ["Alice", "José", "u-77", "user", "!!", " ", "🐻"]) expect(isOwnLabel(label, names), label).toBe(false);
  expect(isOwnLabel("!!", [""])).toBe(false);
});
