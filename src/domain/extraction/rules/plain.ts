/** A sentence as it is read. */
export type Plain = { text: string; at: number[] };

/** The sentence with white space collapsed and plain apostrophes, and for each of its units where it stands. */
export function plainOf(stripped: string, start: number, end: number): Plain {
  const at: number[] = [];
  const units: string[] = [];
  for (let i = start; i < end; i++) {
    const unit = stripped.charAt(i);
    const isBlank = /\s/u.test(unit);
    if (isBlank && units.at(-1) === " ") continue;
    units.push(isBlank ? " " : unit === "’" || unit === "´" || unit === "ʼ" ? "'" : unit);
    at.push(i);
  }
  return { text: units.join(""), at };
}

/** What trails a statement and is none of it. */
const TRAILING =
  /(?<![\s,;:.!?…)("“*_~、，。！；-]|\p{Extended_Pictographic}|[\u200d\ufe0f\u{1f3fb}-\u{1f3ff}])(?:[\s,;:.!?…)("“*_~、，。！；-]|\p{Extended_Pictographic}|[\u200d\ufe0f\u{1f3fb}-\u{1f3ff}]|[:;]-?[)(dp]$)+$/iu;
const FILLER =
  /,? (?:please|pls|plz|thanks|thank you|thx|tbh|btw|lol|haha|though|sorry|fyi|imo|you know|obviously|definitely|of course|for sure|bitte|danke|por favor|gracias|merci|s'il te plaît)$/iu;

/** How many units at the end say nothing. */
export function trailingIn(words: string): number {
  let length = words.length;
  for (let before = -1; before !== length; ) {
    before = length;
    length -= FILLER.exec(words.slice(Math.max(0, length - 40), length))?.[0].length ?? 0;
    length -= TRAILING.exec(words.slice(Math.max(0, length - 60), length))?.[0].length ?? 0;
  }
  return words.length - length;
}
