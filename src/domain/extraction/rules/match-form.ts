import { lowerCase } from "#core/language/folded";
import { fillersIn } from "#core/language/frames";
import { PACKS } from "#core/language/packs";
import { starts } from "#core/language/patterns";
import type { Forms, StatementForm, StatementKey } from "#core/language/statement-forms";
import { normalizeText } from "#core/text/normalize";
import { isOccupation } from "./occupations.ts";
import { isRole } from "./relationships.ts";
import { type Category, SURE } from "./rule.ts";

type Groups = Readonly<Record<string, string | undefined>>;

/** What a statement is by its form. */
export type Form = {
  category: Category;
  confidence: number;
  key: string | null;
  groups: Groups;
  /** The relationship that the form itself states ("married to"). */
  relationship: string | null;
  /** The subject that was left out. */
  implied: string;
  /** Where the content begins, and where the matched words end. */
  start: number;
  known: number;
  /** What is asked to be remembered: the form of the statement after "remember that". */
  within: Form | null;
};

type Only = StatementForm["only"] | "first";
type Compiled = Omit<Form, "groups" | "start" | "known" | "within" | "key"> & {
  isHolder: boolean;
  pattern: RegExp;
  refuse: RegExp | null;
  key: StatementKey | null;
  only: Only;
};

const PLAIN = {
  refuse: null,
  key: null,
  isHolder: false,
  relationship: null,
  implied: "",
  only: undefined,
  confidence: SURE.plain,
};

function compiled({ statements, reminders, relationships }: Forms): Compiled[] {
  return [
    ...statements.map(({ key, pattern, refuse, isUsual, implied, only }) => ({
      ...PLAIN,
      category: key === "favorite" ? ("preference" as const) : ("identity" as const),
      confidence: isUsual === true ? SURE.usual : SURE.plain,
      ...{ key, pattern: starts(pattern), refuse: refuse === undefined ? null : starts(refuse) },
      ...{ implied: implied ?? "", only: implied === undefined ? only : ("first" as const) },
    })),
    ...reminders.map(({ pattern, refuse }) => ({
      ...{ ...PLAIN, category: "task" as const, pattern: starts(pattern) },
      refuse: refuse === undefined ? null : starts(refuse),
    })),
    ...(relationships?.forms ?? []).map(({ pattern, relationship, isHolder }) => ({
      ...{ ...PLAIN, category: "relationship" as const, pattern: starts(pattern), isHolder: isHolder === true },
      relationship: relationship ?? null,
    })),
  ];
}

/** Rules, and one pattern of all of them, with an empty group behind each whose number is in `places`: most clauses are of no form. */
function searchable(rules: readonly Compiled[]): { rules: readonly Compiled[]; any: RegExp; places: readonly number[] } {
  let groups = 0;
  const places: number[] = [];
  const sources = rules.map(({ pattern }) => {
    const source = pattern.source.replaceAll(/\(\?<\w+>/g, "(?:");
    groups += (new RegExp(`${source}|`, pattern.flags).exec("")?.length ?? 1) - 1 + 1;
    places.push(groups);
    return `${source}()`;
  });
  return { rules, any: new RegExp(sources.join("|"), rules[0]?.pattern.flags ?? "u"), places };
}

const LANGUAGES = PACKS.flatMap(({ spaced, forms }) =>
  forms === undefined
    ? []
    : {
        spaced,
        singular: forms.singular,
        ...searchable(compiled(forms)),
        remember: starts(forms.remember),
        notRemembered: starts(forms.notRemembered ?? "(?!)"),
        lightly:
          forms.lightly === undefined
            ? null
            : {
                asked: starts(forms.lightly.asked),
                unless: starts(`.*${forms.lightly.unless}`),
                own: starts(`.*${forms.lightly.own}`),
              },
      },
);
type Language = (typeof LANGUAGES)[number];
const ROLES_OF_ONE = PACKS.flatMap(({ forms }) => (forms?.relationships?.ofOne?.split(" ") ?? []).map((one) => one.split("/")));
const HAN_START = /^[^\p{L}]*\p{Script=Han}/u;

/** What the place of a clause allows: `greeted` a name alone ("Hi, I'm Ada"), `first` in its sentence a form without its subject ("Living in Rome"). */
export type Allowed = { greeted: boolean; first: boolean };

/** The form of the statement with which a text begins, if any. Fillers may come before it. */
export function matchForm(text: string, allowed: Allowed): Form | null {
  const lead = fillersIn(lowerCase(text));
  const words = text.slice(lead);
  const spaced = !HAN_START.test(words);
  for (const language of LANGUAGES.filter((each) => each.spaced === spaced)) {
    const form =
      matchRemember(words, language, text.slice(0, lead)) ?? matchOne(words, language, { ...allowed, remembered: false });
    if (form !== null) return moved(form, lead);
  }
  return null;
}

function moved(form: Form, by: number): Form {
  return { ...form, start: form.start + by, known: form.known + by };
}

function matchRemember(text: string, language: Language, before: string): Form | null {
  const { remember, notRemembered, lightly } = language;
  const asked = remember.exec(text)?.[0];
  if (asked === undefined) return null;
  const said = text.slice(asked.length);
  if (
    notRemembered.test(said) ||
    (lightly?.asked.test(text) === true && !lightly.unless.test(before + asked) && !lightly.own.test(said))
  )
    return null;
  const within = matchOne(said, language, { greeted: false, first: false, remembered: true });
  return {
    ...{ category: "remember", confidence: SURE.asked, key: within?.key ?? null, groups: within?.groups ?? {}, implied: "" },
    ...{ relationship: within?.relationship ?? null, start: asked.length, known: asked.length, within },
  };
}

function matchOne(
  text: string,
  language: Language,
  { greeted, first, remembered }: Allowed & { remembered: boolean },
): Form | null {
  const allows = (only: Only) =>
    only === undefined || (only === "greeted" && greeted) || (only === "first" && first) || (only === "remembered" && remembered);
  const found = language.any.exec(text);
  if (found === null) return null;
  const from = language.places.findIndex((place) => found[place] !== undefined);
  for (const { pattern, refuse, key, only, isHolder, ...rule } of language.rules.slice(from)) {
    const match = allows(only) ? pattern.exec(text) : null;
    if (match === null || refuse?.test(text.slice(match[0].length)) === true) continue;
    const groups: Groups = match.groups ?? {};
    if ((groups.calling !== undefined && !isOccupation(groups.calling)) || (groups.role !== undefined && !isRole(groups.role)))
      continue;
    const stated = isHolder ? roleKeyOf(groups) : keyOf(key, groups.noun, language.singular);
    return { ...rule, groups, key: stated, start: 0, known: match[0].length, within: null };
  }
  return null;
}

/** The key of a role that one person at a time has for the speaker. */
function roleKeyOf({ role, names }: Groups): string | null {
  const said =
    lowerCase(role ?? "")
      .split(" ")
      .at(-1) ?? "";
  const one = ROLES_OF_ONE.find((words) => words.some((word) => said === word || said === `${word}s`))?.[0];
  return one === undefined || names === undefined || /,| (?:and|und|&) /u.test(names) ? null : `relationship:${one}`;
}

function keyOf(key: StatementKey | null, noun: string | undefined, singular: Forms["singular"]): string | null {
  if (key !== "favorite") return key === null ? null : `identity:${key}`;
  const said = normalizeText((noun ?? "").trim().toLowerCase(), "NFC");
  const words = (singular?.(said) ?? said).match(/[\p{L}\p{N}]+/gu);
  return words === null ? null : `preference:favorite_${words.slice(-4).join("_")}`;
}
