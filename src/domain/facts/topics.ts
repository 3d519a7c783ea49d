import type { TenantTopic } from "#context";
import { BUILT_IN_NOUNS } from "./built-in-topics.ts";
import { LANGUAGES, type Language, words } from "./languages.ts";
import { nounForm } from "./nouns.ts";

/** Which topic a noun names: built in, then the tenant's own. */
export type TopicIndex = { readonly own: ReadonlyMap<string, string> };

const BUILT_IN: ReadonlyMap<string, string> = new Map(
  Object.entries(BUILT_IN_NOUNS).flatMap(([topic, nouns]) =>
    nouns.flatMap((noun) => forms(noun, null).map((form): [string, string] => [form, topic])),
  ),
);

/** Words that follow "favorite" and name no topic. */
const EMPTY_NOUNS: ReadonlySet<string> = new Set(LANGUAGES.flatMap(({ lists }) => lists.emptyNouns?.split(" ") ?? []));
const KIND_OF = new RegExp(`^(?:${words("kindOf")})`);

/** A noun as it is compared: the same for singular and plural, upper and lower case, with and without diacritics. */
export function nounKey(noun: string): string {
  return nounForm(noun, "en");
}

/** By noun (as `nounKey` gives it): the built-in topic. */
export function builtInNouns(): ReadonlyMap<string, string> {
  return BUILT_IN;
}

export function createTopicIndex(own: readonly TenantTopic[]): TopicIndex {
  const entries = own.flatMap(({ key, nouns }) =>
    nouns.flatMap(({ noun, language }) =>
      forms(noun, LANGUAGES.find(({ code }) => code === language)?.code ?? null).map((form): [string, string] => [form, key]),
    ),
  );
  return { own: new Map(entries.filter(([form]) => !BUILT_IN.has(form))) };
}

/** The topic of a noun phrase: a known one, or for an unknown noun a key of its own. Null for what names nothing. */
export function topicOf(topicIndex: TopicIndex, nounPhrase: string, language: Language = "en"): string | null {
  const phrase = nounPhrase.replace(/^\s*(?:my )?fav(?:ou?rites?)?[\s_]+/i, "");
  const known = knownTopic(topicIndex, phrase, language);
  if (known !== null) return known;
  const form = nounForm(phrase, language);
  if (form === "" || EMPTY_NOUNS.has(form) || !/\p{L}/u.test(phrase)) return null;
  return `favorite_${form.replace(/[^\p{L}\p{M}\p{N}]+/gu, "_").replace(/_$/, "")}`;
}

/** The built-in topic or the tenant's own that a noun phrase names as a whole; null for any other. */
export function knownTopic(topicIndex: TopicIndex, nounPhrase: string, language: Language = "en"): string | null {
  for (const form of new Set([nounKey(nounPhrase), nounForm(nounPhrase, language)])) {
    const topic = form === "" ? undefined : (BUILT_IN.get(form) ?? topicIndex.own.get(form));
    if (topic !== undefined) return topic;
  }
  return null;
}

/** A topic as it is said in a sentence: "favorite_colors" is "favorite colors". */
export function labelOf(topicKey: string): string {
  return topicKey === "favorite_tv" ? "favorite TV shows" : topicKey.replaceAll("_", " ");
}

function forms(noun: string, language: Language | null): string[] {
  const all = [
    nounKey(noun),
    ...(language === null ? LANGUAGES.map(({ code }) => code) : [language]).map((each) => nounForm(noun, each)),
  ];
  return [...new Set(all)].filter((form) => form !== "");
}

type Said = { topicIndex: TopicIndex; language: Language; knownOnly: boolean };

/** The topic of the noun phrase of a sentence: "types of candy" is candy, "colors of the rainbow" is no favorite color and "team's colors" are the team's. */
export function topicOfPhrase(phrase: string, { topicIndex, language, knownOnly }: Said): string | null {
  const bare = phrase.replace(KIND_OF, "");
  if (/'s? /.test(bare)) return null;
  const known = knownTopic(topicIndex, bare, language);
  if (known !== null) return known;
  const qualified = / of /.test(bare) && knownTopic(topicIndex, bare.split(" of ")[0] ?? "", language) !== null;
  return knownOnly || qualified ? null : topicOf(topicIndex, bare, language);
}
