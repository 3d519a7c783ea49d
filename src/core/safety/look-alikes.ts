import { normalizeText } from "#core/text/normalize";

/**
 * Letters that look like an ASCII letter, by that letter: those of Unicode's confusables.txt (UTS #39) from alphabets that keyboards, fonts
 * and "fancy text" generators have. Compatibility forms (full-width, mathematical) are left to NFKC.
 */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: "аαɑᴀ",
  b: "ƄЬᏏвʙ",
  c: "сϲᴄⲥꮯ",
  d: "ԁᏧᴅɗ",
  e: "еҽꬲεᴇ",
  f: "ꬵꞙẝք",
  g: "ɡᶃƍցɢ",
  h: "һհᏂнʜ",
  i: "іιıɩꙇӏᎥꭵɪ",
  j: "јϳᴊ",
  k: "кκᴋ",
  l: "ǀƖʟ",
  m: "мᴍ",
  n: "ոռηɴ",
  o: "оοσօᴏᴑꬽⲟ",
  p: "рρϱⲣᴘ",
  q: "ԛգզ",
  r: "гᴦꭇꭈⲅꮁʀ",
  s: "ѕꜱƽꮪ",
  t: "тτᴛ",
  u: "υսʋᴜꞟ",
  v: "ѵνᴠꮩ",
  w: "ԝѡɯᴡաꮃω",
  x: "хχ",
  y: "уүγʏɣᶌყ",
  z: "ᴢꮓ",
  A: "АΑᎪꓮ",
  B: "ВΒᏴꓐꞴ",
  C: "СϹⲤᏟꓚ",
  D: "Ꭰꓓ",
  E: "ЕΕᎬꓰⴹ",
  F: "ϜꞘꓝ",
  G: "ԌᏀꓖ",
  H: "НΗⲎᎻꓧ",
  I: "ІΙӀⲒꓲ",
  J: "ЈͿᎫꓙꞲ",
  K: "КΚⲔᏦꓗ",
  L: "ᏞꓡⳐ",
  M: "МΜϺⲘᎷꓟ",
  N: "ΝⲚꓠ",
  O: "ОΟⲞՕꓳ",
  P: "РΡⲢᏢꓑ",
  Q: "ⵕ",
  R: "ƦᎡᏒꓣ",
  S: "ЅՏᏕᏚꓢ",
  T: "ТΤⲦᎢꓔ",
  U: "Սꓴ",
  V: "ѴᏙꓦ",
  W: "ԜᎳꓪ",
  X: "ХΧⲬꓫꞳ",
  Y: "УҮΥⲨᎩꓬ",
  Z: "ΖᏃꓜ",
};

const ASCII_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([ascii, letters]) => [...letters].map((letter): [string, string] => [letter, ascii])),
);

/** The ASCII letter that a character looks like, without its accent; ASCII is itself; null if it looks like none. */
export function asciiLookAlike(character: string): string | null {
  if (/^[A-Za-z0-9]+$/.test(character)) return character;
  const base = normalizeText(character, "NFD")[0] ?? "";
  return /^[A-Za-z]$/.test(base) ? base : (ASCII_OF.get(character) ?? ASCII_OF.get(base) ?? null);
}
