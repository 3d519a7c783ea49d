import type { Language } from "./nouns.ts";
import { knownTopic, type TopicIndex, topicOf } from "./topics.ts";

type Said = { topicIndex: TopicIndex; language: Language; knownOnly: boolean };

/** The topic of the noun phrase of a sentence: "types of candy" is candy, "colors of the rainbow" is no favorite color and "team's colors" are the team's. */
export function topicOfPhrase(phrase: string, { topicIndex, language, knownOnly }: Said): string | null {
  const bare = phrase.replace(/^(?:types?|kinds?|sorts?) of /, "");
  if (/'s? /.test(bare)) return null;
  const known = knownTopic(topicIndex, bare, language);
  if (known !== null) return known;
  const qualified = / of /.test(bare) && knownTopic(topicIndex, bare.split(" of ")[0] ?? "", language) !== null;
  return knownOnly || qualified ? null : topicOf(topicIndex, bare, language);
}
