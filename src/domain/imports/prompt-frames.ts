/** What an export writes around prompts: words before them ("Prompted "), words after them (" と入力しました"), or both. */
export type Frames = { leads: readonly string[]; tails: readonly string[] };

/** A title of an activity. One with an answer is surely of a prompt. */
export type Title = { title: string; isAnswered: boolean };

/**
 * Words that many titles of an export begin or end with, in the language of the account. Fewer titles may begin alike because of what was
 * asked, and the words of a prompt are never to be lost.
 */
const LEAST_TITLES = 10;
const LEAST_SHARE = 0.2;
/** A word belongs to the frame if nearly all titles that have what is beside it have it too. */
const SAME_SHARE = 0.9;
/** Titles of prompts that frames have to explain together: questions that begin or end alike explain fewer. */
const EXPLAINED_SHARE = 0.8;
const MOST_WORDS = 8;
/** Of exports in English, and of those that are too small to show theirs. */
const USUAL = "Prompted ";

/**
 * What stands around the prompts in titles, whatever the language: the words that nearly all titles with the same first, or the same last
 * word share. An account whose language was changed has several.
 */
export function framesOf(titles: readonly Title[]): Frames {
  const answered = titles.filter(({ isAnswered }) => isAnswered);
  // A prompt that was sent again and again shows nothing of what stands around prompts.
  const read = [...new Set((answered.length > 0 ? answered : titles).map(({ title }) => title))];
  const isUsual = read.filter((title) => title.startsWith(USUAL)).length >= read.length * LEAST_SHARE;
  if (isUsual || read.length < LEAST_TITLES) return { leads: [USUAL], tails: [] };
  return { leads: [...sharedOf(read, BEGINNING), USUAL], tails: sharedOf(read, END) };
}

/** The title without its frame. */
export function promptIn(title: string, { leads, tails }: Frames): { prompt: string; isFramed: boolean } {
  const lead = longest(leads.filter((one) => title.startsWith(one)));
  const rest = title.slice(lead.length);
  const tail = longest(tails.filter((one) => rest.endsWith(one)));
  return { prompt: rest.slice(0, rest.length - tail.length).trim(), isFramed: lead !== "" || tail !== "" };
}

function longest(texts: readonly string[]): string {
  return texts.toSorted((a, b) => b.length - a.length)[0] ?? "";
}

/** The words of a side of a title, the outermost first, each with the white space that parts it from the prompt. */
type Side = { wordsOf: (title: string) => string[]; has: (title: string, shared: string) => boolean; joined: Join; rest: Join };
type Join = (one: string, other: string) => string;

const BEGINNING: Side = {
  wordsOf: (title) => title.slice(0, 200).match(/\S{1,60}\s{0,10}/gu) ?? [],
  has: (title, shared) => title.startsWith(shared),
  joined: (shared, word) => shared + word,
  rest: (title, shared) => title.slice(shared.length),
};

const END: Side = {
  wordsOf: (title) => (title.slice(-200).match(/\s{1,10}\S{1,60}/gu) ?? []).toReversed(),
  has: (title, shared) => title.endsWith(shared),
  joined: (shared, word) => word + shared,
  rest: (title, shared) => title.slice(0, title.length - shared.length),
};

function sharedOf(titles: readonly string[], side: Side): string[] {
  const groups = Map.groupBy(titles, (title) => side.wordsOf(title)[0] ?? "");
  const least = titles.length * LEAST_SHARE;
  const shared = [...groups].flatMap(([first, group]) =>
    first !== "" && group.length >= least ? [extended(first, group, side)] : [],
  );
  const explained = titles.filter((title) => shared.some((one) => side.has(title, one) && side.rest(title, one).trim() !== ""));
  return explained.length >= titles.length * EXPLAINED_SHARE ? shared : [];
}

function extended(first: string, group: readonly string[], side: Side): string {
  let shared = first;
  for (let words = 1; words < MOST_WORDS; words += 1) {
    const having = group.filter((title) => side.has(title, shared));
    const next = Map.groupBy(having, (title) => side.wordsOf(side.rest(title, shared))[0] ?? "");
    const [word, same] = [...next].toSorted((a, b) => b[1].length - a[1].length)[0] ?? ["", []];
    if (word === "" || same.length < having.length * SAME_SHARE) return shared;
    // If nothing is left of them, the titles are equal, and what they share is a prompt.
    if (same.every((title) => side.rest(title, side.joined(shared, word)).trim() === "")) return shared;
    shared = side.joined(shared, word);
  }
  return shared;
}
