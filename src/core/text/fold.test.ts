import { describe, expect, it } from "vitest";
import { fold, normalise } from "./normalize.ts";

describe("fold", () => {
  it.each([
    ["Straße", "strasse"],
    ["Encyclopædia", "encyclopaedia"],
    ["Œuvre", "oeuvre"],
    ["København", "kobenhavn"],
    ["Đorđe", "dorde"],
    ["Guðrún", "gudrun"],
    ["Ħamrun", "hamrun"],
    ["Diyarbakır", "diyarbakir"],
    ["İzmir", "izmir"],
    ["Łódź", "lodz"],
    ["Þór", "thor"],
    ["ΛΌΓΟς", "λογοσ"],
    ["إسلام", "اسلام"],
    ["آسيا", "اسيا"],
    ["ٱسم", "اسم"],
    ["مستشفى", "مستشفي"],
    ["فارسی", "فارسي"],
    ["کتاب", "كتاب"],
    ["مدرسة", "مدرسه"],
    ["كـتاب", "كتاب"],
  ])("%s becomes %s", (word, folded) => {
    expect(fold(word)).toBe(folded);
  });

  it("leaves composed what is a letter and not a diacritic", () => {
    for (const word of ["한국", "がぎ", "น้ำ", "की"]) expect(fold(word)).toBe(word);
  });
});

describe("normalise", () => {
  it("drops what cannot be seen", () => {
    expect(normalise("co\u00adop\u200ber\ufeffate")).toBe("cooperate");
  });

  it("keeps the am of Thai and Lao one letter", () => {
    expect(normalise("น้ำ ນ້ຳ")).toBe("น้ำ ນ້ຳ");
  });

  it("knows every apostrophe and hyphen for the plain one", () => {
    expect(normalise("don’t don‘t donʼt e‐mail e‑mail")).toBe("don't don't don't e-mail e-mail");
  });
});
