import type { LanguagePack } from "#core/language/pack";

/** A made-up language, to show that one more needs a pack and its line in `packs.ts`. */
export const MADE_UP_LANGUAGE: LanguagePack = {
  code: "xx",
  spaced: true,
  frames: { asked: "zu\\b", supposed: "\\bvel\\b", material: "tradu\\b" },
  conjunctions: "ko|vel",
  before: "ho",
  labels: "tradu",
  sensitivity: { sensitive: "malsan*", personal: "" },
  moment: { words: "nunmo" },
  negation: { words: "nul" },
  lists: {
    ordinals: ["una", "bina"],
    figures: "\\d{1,2}-a",
    cardinals: ["un", "bin"],
    numbers: "#",
    intros: [{ form: "list", source: "mia favora (?<noun>\\p{L}+) [ei]sta " }],
    questions: [{ ask: "list", source: "kiaj mia favora (?<noun>\\p{L}+)" }],
    followUps: [],
    cue: "mia favora",
    questionCue: "mia favora",
    mine: "favora",
    mentions: "favora",
    next: "poste",
    topics: { favorite_colors: "koloro" },
  },
  forms: {
    statements: [{ key: "home", pattern: "mi logas en " }],
    remember: "memoru ke ",
    reminders: [],
    relationships: {
      forms: [{ pattern: "mia (?<role>\\p{L}+) nomas (?<names>\\p{Lu}\\p{L}+)" }],
      own: "mia ",
      people: "frato",
      pets: "hundo",
    },
    group: "ni\\b",
  },
};
