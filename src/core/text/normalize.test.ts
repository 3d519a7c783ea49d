import { expect, it } from "vitest";
import { normalizeText } from "./normalize.ts";

it("writes ordinary text as the engine does", () => {
  for (const text of ["plain", "Jose\u0301", "ﾊﾞ", "Ｆｕｌｌ", "한국", "नमस्ते", "e\u0316\u0301"])
    for (const form of ["NFC", "NFD", "NFKC"] as const) expect(normalizeText(text, form)).toBe(text.normalize(form));
});

it.each([["\u0301\u0316"], ["\u0301\uff9e"], ["\u0316"]])(
  "keeps thirty marks of a letter, so that ordering them takes no time by the square: %j",
  (marks) => {
    expect(normalizeText(`a${marks.repeat(5000)}b`, "NFKC").length).toBeLessThanOrEqual(32);
    expect(normalizeText(`a${marks.repeat(15)}b`, "NFKC")).toBe(`a${marks.repeat(15)}b`.normalize("NFKC"));
  },
);
