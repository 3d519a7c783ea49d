/** In the order of their frequency in everyday English. */
const FUNCTION_WORDS =
  `the and to of a in that is it for you i was on with as be have but at this are not they we from or by one had what all were when your can there
an which their said if will do each about how up out them then she many some so these would other into has more her two like him time no just my than did over`.split(
    /\s+/,
  );

/** Common topics, used by every tenant. Questions are made of these. */
export const COMMON_WORDS =
  `people work house friend dinner family water money garden school doctor weekend morning coffee kitchen train office music summer
holiday birthday market window sister brother mother father dog cat car bike road river mountain beach city village hotel airport ticket
meeting project report deadline budget manager colleague customer invoice contract phone laptop email password printer screen camera
bread cheese apple chicken soup salad recipe oven table chair lamp carpet bathroom shower roof fence tree flower seed rain snow storm
football tennis swim race gym yoga piano guitar concert movie novel library museum painting teacher student exam lesson language
winter spring autumn evening breakfast lunch wine beer tea chocolate sugar salt pepper rice pasta tomato potato onion garlic lemon`.split(
    /\s+/,
  );

const SYLLABLES =
  "ba be bo ka ke ko da de do fa fe fo ga go la le lo ma me mo na ne no pa pe po ra re ro sa se so ta te to va ve vo zi".split(
    " ",
  );
const VOCABULARY = 12_000;
/** Zipf's law with Mandelbrot's shift, which flattens the first few ranks as languages do. */
const SHIFT = 2.7;

export type Random = () => number;

/** Mulberry32: small, fast, the same on every machine. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function between(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

/** Sentences in which words occur as often as their frequency rank implies. */
export function chatText(random: Random, words: number): string {
  const sentences: string[] = [];
  for (let left = words; left > 0; ) {
    const length = Math.min(left, between(random, 6, 14));
    const sentence = Array.from({ length }, () => draw(random)).join(" ");
    sentences.push(`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`);
    left -= length;
  }
  return sentences.join(" ");
}

function draw(random: Random): string {
  const wanted = random() * (LADDER.at(-1) ?? 0);
  let [low, high] = [0, LADDER.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((LADDER[middle] ?? 0) <= wanted) low = middle + 1;
    else high = middle;
  }
  return WORDS[low] ?? "";
}

const WORDS = [...new Set([...FUNCTION_WORDS, ...COMMON_WORDS, ...rareWords()])].slice(0, VOCABULARY);
/** Sums of the words' shares, for a draw by halving. */
const LADDER = ladder(WORDS.length);

function ladder(length: number): number[] {
  let sum = 0;
  return Array.from({ length }, (_, rank) => {
    sum += 1 / (rank + 1 + SHIFT);
    return sum;
  });
}

function rareWords(): string[] {
  const random = randomOf(7);
  return Array.from({ length: VOCABULARY * 2 }, () =>
    Array.from({ length: between(random, 2, 4) }, () => SYLLABLES[between(random, 0, SYLLABLES.length - 1)]).join(""),
  );
}
