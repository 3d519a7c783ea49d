import { expect, it } from "vitest";
import { isExcluded } from "./is-excluded.ts";

it.each([
  ["Never keep anything about football.", "Plays football on Sundays"],
  ["Keep what customers order. Do not store health, prices.", "Pays 40 euros a month for the gym"],
  ["Do not store health, prices", "Has asthma"],
  ["don't remember names of competitors or ex-partners", "Names a competitor of ours"],
  ["Religion must never be stored", "Changed religion last year"],
  ["Store nothing about the weather", "The weather in Cork is bad"],
  ["Speichere nichts über Gehalt und Fußball", "Spielt Fußball in Köln"],
  ["Gesundheit nicht speichern", "Hat Asthma"],
  ["No guardes nada sobre salud ni precios", "El alquiler cuesta 900 euros"],
  ["Ne garde rien sur la politique", "S'intéresse à la politique"],
  ["不要保存关于健康的内容", "有哮喘"],
  ["不要记录价格和足球", "喜欢踢足球"],
])("%s excludes: %s", (instructions, content) => {
  expect(isExcluded(content, instructions)).toBe(true);
});

it.each([
  ["", "Has asthma"],
  ["Never keep anything about football.", "Plays tennis on Sundays"],
  ["Keep everything about football", "Plays football on Sundays"],
  ["Do not store health, prices", "Lives in Leeds"],
  ["Never store user data about horses", "The user likes tea"],
  ["Never store phone numbers", "Got a new phone"],
  ["Never keep prices", "Works on platform 9"],
  ["不要保存关于健康的内容", "住在上海"],
])("%j does not exclude: %s", (instructions, content) => {
  expect(isExcluded(content, instructions)).toBe(false);
});
