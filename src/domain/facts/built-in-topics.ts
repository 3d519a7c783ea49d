import { LANGUAGES } from "./languages.ts";

/** Nouns of the built-in topics, by the topic's key, as they are said in each language. */
export const BUILT_IN_NOUNS: Readonly<Record<string, readonly string[]>> = nounsByTopic();

function nounsByTopic(): Record<string, string[]> {
  const nouns: Record<string, string[]> = {};
  for (const { lists } of LANGUAGES)
    for (const [topic, said] of Object.entries(lists.topics ?? {})) nouns[topic] = [...(nouns[topic] ?? []), ...said.split(", ")];
  return nouns;
}
