import { analyse } from "#core/text/analyse";
import { normalizeText } from "#core/text/normalize";

/** What is compared of a candidate. */
type Compared = { kind: "memory" | "episode" | "entity"; text: string; episodeId: string | null; isInstruction: boolean };

/** A passage of which every sentence is mostly the memory that was learned from it says nothing beside it. */
const MOSTLY = 0.6;
/** A memory of which nearly all stands in the passage that it was learned from. */
const NEARLY_ALL = 0.8;
/** Shorter texts are inside others by chance; they are the same only if they are the whole of a message or of one of its sentences. */
const MIN_CONTAINED_CHARACTERS = 40;

/** A check for what the model reads anyway: in the conversation, or in what was taken before. */
export function createDuplicateCheck(
  conversation: readonly string[],
): (candidate: Compared, taken: readonly Compared[]) => "repeated" | "in_conversation" | null {
  const messages = conversation.map(plain);
  const whole = new Set([...messages, ...conversation.flatMap(sentencesOf)]);
  return (candidate, taken) => {
    const text = plain(candidate.text);
    if (text === "") return "repeated";
    if (whole.has(text)) return "in_conversation";
    if (text.length >= MIN_CONTAINED_CHARACTERS && messages.some((message) => message.includes(text))) return "in_conversation";
    return taken.some((other) => plain(other.text) === text || sameStatement(candidate, other)) ? "repeated" : null;
  };
}

/** A memory and a passage of the episode from which it was learned, where the second of the two adds little. */
function sameStatement(candidate: Compared, other: Compared): boolean {
  if (candidate.episodeId === null || candidate.episodeId !== other.episodeId || candidate.kind === other.kind) return false;
  const said = new Set(analyse(other.text));
  if (candidate.kind === "memory") return share(new Set(analyse(candidate.text)), said) >= NEARLY_ALL;
  const parts = candidate.text.split(PARTS).map((part) => new Set(analyse(part)));
  const whole = new Set(parts.flatMap((part) => [...part]));
  return share(whole, said) >= MOSTLY && parts.every((part) => part.size < 2 || share(part, said) >= MOSTLY);
}

/** Sentences; and clauses, in writing whose comma stands where others have a full stop. A word alone, such as a greeting, says nothing. */
const PARTS = /(?<=[.!?;])\s+|(?<=[。！？；，])|\n+/u;

/**
 * Puts a memory before the passage that it was learned from where that says little more: of the two it is the memory that follows what
 * is corrected, forgotten or found wrong.
 */
export function memoriesFirst<C extends Compared>(ranked: readonly C[]): C[] {
  const learned = Map.groupBy(
    ranked.filter(({ kind, episodeId, isInstruction }) => kind === "memory" && episodeId !== null && !isInstruction),
    ({ episodeId }) => episodeId,
  );
  const order = ranked.flatMap((candidate) => {
    if (candidate.kind !== "episode") return [candidate];
    const own = learned.get(candidate.episodeId) ?? [];
    return [...own.filter((memory) => sameStatement(candidate, memory)), candidate];
  });
  return [...new Set(order)];
}

/** The part of the words that the other text has too. */
function share(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  if (words.size === 0) return 1;
  return [...words].filter((word) => others.has(word)).length / words.size;
}

function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!。！])\s*|\n+/u).map(plain);
}

/** As it is compared: case, blanks and closing marks aside. A question stays one: it does not tell what it asks. */
function plain(text: string): string {
  const even = normalizeText(text, "NFKC").toLowerCase().replace(/\s+/gu, " ");
  let [from, to] = [0, even.length];
  while (from < to && OPENING.has(even.charAt(from))) from += 1;
  while (to > from && CLOSING.has(even.charAt(to - 1))) to -= 1;
  return even.slice(from, to);
}

/** Marks at the ends of a text, walked over one by one: a pattern for them takes quadratic time over a long run of dots. */
const OPENING: ReadonlySet<string> = new Set(" -*•>\"'“”„");
const CLOSING: ReadonlySet<string> = new Set(" .!。\"'“”");
