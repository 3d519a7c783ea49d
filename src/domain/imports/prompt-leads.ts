/** Words that many titles of an export begin with, such as "Prompted " in the language of the account. */
const LEAST_TITLES = 3;
const LEAST_SHARE = 0.2;
/** A word belongs to the lead if nearly all titles that begin with what is before it go on with it. */
const SAME_SHARE = 0.9;
const MOST_WORDS = 8;
/** Of exports that are too small to show it. */
const USUAL = "Prompted ";

/**
 * What stands before the prompts in titles, whatever the language: the words that nearly all titles with the same first word share. An
 * account whose language was changed has several.
 */
export function leadsOf(titles: readonly string[]): string[] {
  const groups = Map.groupBy(titles, (title) => wordsOf(title)[0] ?? "");
  const least = Math.max(LEAST_TITLES, titles.length * LEAST_SHARE);
  const leads = [...groups].flatMap(([first, group]) => (first !== "" && group.length >= least ? [extended(first, group)] : []));
  return leads.includes(USUAL) ? leads : [...leads, USUAL];
}

function extended(first: string, group: readonly string[]): string {
  let lead = first;
  for (let words = 1; words < MOST_WORDS; words += 1) {
    const going = group.filter((title) => title.startsWith(lead));
    const next = Map.groupBy(going, (title) => wordsOf(title.slice(lead.length))[0] ?? "");
    const [word, same] = [...next].toSorted((a, b) => b[1].length - a[1].length)[0] ?? ["", []];
    if (word === "" || same.length < going.length * SAME_SHARE) return lead;
    // If nothing is left of them, the titles are equal, and what they share is a prompt.
    if (same.every((title) => title.slice(lead.length + word.length).trim() === "")) return lead;
    lead += word;
  }
  return lead;
}

/** Words with the white space behind them. */
function wordsOf(title: string): string[] {
  return title.slice(0, 200).match(/\S{1,60}\s{0,10}/gu) ?? [];
}

/** The lead that a title begins with, the longest of several; null for none. */
export function leadOf(title: string, leads: readonly string[]): string | null {
  const [longest] = leads.filter((lead) => title.startsWith(lead)).toSorted((a, b) => b.length - a.length);
  return longest ?? null;
}
