import { toNormalizedText } from "#core/language/folded";

const MAX_VALUE = 100;
const MAX_WORDS = 12;

/** The end of a sentence; not the period of an abbreviation. */
export const SENTENCE_END =
  /(?<![\s.]\p{L}|^\p{L}|\b(?:mr|mrs|ms|dr|st|vs|jr|sr|feat|vol|pt|nr|no))\.(?=[\s"]|$)|[!?](?=[\s"]|$)|[。！？；;\ufffc]/u;
/** The beginning of a reason, a contrast or another sentence. */
const ASIDE =
  /(?:,? (?:because|cause|cuz|coz|bc|since|while|whereas|but|although|though|tho|and my|and for|and as|and i|and you|what about|how about|as well as my|weil|denn|aber|wahrend|und mein\w*|und bei|porque|pero|aunque|mientras|y mis?|parce|mais|tandis|car|if|when(?:ever)?|unless|depending|wenn|falls|cuando|quand|et m(?:on|a|es)|et toi)(?![\p{L}\p{N}'])| (?:instead of|rather than|in place of|statt|anstatt|anstelle|en lugar de|en vez de|au lieu de|plutot que)(?![\p{L}\p{N}'])|, (?:it|its|it's|i|i'm|they|they're|like|which|that's|so|we)(?![\p{L}\p{N}'])| [-–—]+ |(?:,|，)? ?(?:因为|因為|但是?|而且?我|不过|而不是|而非))/u;
/** One filler, mark or emoji after a value. */
const NOISE =
  /(?:[\s,;:.!?、。，…~"]{1,40}|(?<!\p{L})(?:and|&|und|y|et|then|dann|luego|puis|lol|lmao|rofl|haha{1,20}|hehe{1,20}|hihi{1,20}|jaja{1,20}|jeje{1,20}|mdr|ptdr|xd|kek|omg|and (?:that's it|that's all|nothing else|so on|others)|that's it|that's all|any ?day|all day|hands down|y (?:nada mas|ya|ya esta)|y nada más|nada más|und (?:sonst nichts|das war's)|et (?:c'est tout|voilà)|etc|right now|i guess|i think|哈哈{1,20}|btw|imo|imho|tbh|for sure|obviously|of course|now|instead|please|pls|thanks|thx|xd|和|以及)(?!\p{L})|\p{Extended_Pictographic}|\ufe0f|\u200d|<3|[:;]-?[)DPp(])$/u;
/** Fillers are removed one by one; none is longer. */
const NOISE_UNITS = 40;
const LEADING =
  /^(?:[\s,;:.="–—-]|(?:is|are|ist|sind|es|son|est|sont|c'est|would be|goes to|definitely|probably|actually|now|maybe|currently|simply|just)(?= )|是|为)+/i;
const EMPTY =
  /^(?:\?+|tbd|tba|n\/?a|idk|none|nothing|unknown|undecided|not sure|no idea|dunno|still (?:deciding|thinking)|something|x+|_+|\.+|blank|nichts|keine ahnung|nada|ninguno|rien|aucune?|无|没有)$/;
const NOT_A_VALUE =
  /^(?:not|no longer|never|nicht|kein\w*|no es|pas|不是) |fav(?:ou?r|e\b|s?\b)|lieblings|preferid|preferee?s?\b|favori|喜[欢歡]的/u;

/** The value of a list item, without marks, comments and punctuation; null if it states nothing certain. */
export function cleanValue(raw: string): string | null {
  const line = withoutComments((raw.split("\n")[0] ?? "").slice(0, 400));
  const end = cutAside(line.slice(0, endOfSentence(line)));
  const value = withoutNoise(end.replace(LEADING, "").replace(/^["《\s]+|(?<!["》\s])["》\s]+$/g, ""))
    .replace(/(?<![》"])[》"]+$/g, "")
    .replace(/^[*•_]+ ?/, "")
    .trim();
  return isValue(value) ? value : null;
}

function withoutNoise(text: string): string {
  let length = text.length;
  for (let before = -1; before !== length; ) {
    before = length;
    length -= NOISE.exec(text.slice(Math.max(0, length - NOISE_UNITS), length))?.[0].length ?? 0;
  }
  return text.slice(0, length);
}

export function endOfSentence(text: string): number {
  return SENTENCE_END.exec(text)?.index ?? text.length;
}

function isValue(value: string): boolean {
  const normalizedText = toNormalizedText(value);
  if (value.length === 0 || value.length > MAX_VALUE || value.split(" ").length > MAX_WORDS) return false;
  return /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(value) && !EMPTY.test(normalizedText) && !NOT_A_VALUE.test(normalizedText);
}

/** Removes remarks in brackets; a year, a country or a ticker ("(US)", "(BTC)") is part of the name. */
function withoutComments(text: string): string {
  return text.replace(/ ?\(([^()]{0,200})\)/g, (whole, inner: string) =>
    /^(?:[A-Z]{2,5}|(?:19|20)\d\d(?:-\d*)?)$/.test(inner) ? whole : "",
  );
}

function cutAside(text: string): string {
  const at = ASIDE.exec(toNormalizedText(text))?.index ?? text.length;
  return /^,? ?\p{Lu}/u.test(text.slice(at)) ? text : text.slice(0, at);
}
