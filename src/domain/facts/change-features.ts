import { type Features, hash, push, seedOf } from "#core/linear/features";
import type { WordInput } from "#core/network/network";
import { wordVector } from "#core/static-words/word-vectors";
import { CHANGE_CLASSES, type ChangeText, type Token } from "./change-text.ts";
import { type KeptItem, stemsOf } from "./kept-list.ts";
import { cached, sameStem } from "./talk-words.ts";

/** Rows of hashed words in a network. */
export const WORD_BUCKETS = 1024;
/** Flags of words: their place (23), their class, and what follows. */
const CLASS_FLAGS = 24;
const OTHER_FLAGS = CLASS_FLAGS + CHANGE_CLASSES.length;
export const FLAGS = OTHER_FLAGS + 22;

/** What a network reads: words, those near the item, and those of its sentence. */
export type FateInput = { words: WordInput[]; near: number[]; same: number[]; linear: Features };
export type TagInput = { words: WordInput[]; linear: Features[] };

const WORD_SEED = seedOf("network word");
const MAX_HEAD_WORDS = 8;

function bucketOf(name: string): number {
  const h = hash(WORD_SEED, name);
  return (h ^ (h >>> 15)) & (WORD_BUCKETS - 1);
}

function vectorOf(word: string): Float32Array | null {
  return cached(`vector\n${word}`, () => wordVector(word));
}

const isNumber = (word: string) => /^\d/.test(word);

/** A word as the models know it: items by what they are, so that what is learned of one list holds for others. */
function nameOf(token: Token | undefined, index: number): string {
  if (token === undefined) return "$";
  if (token.item >= 0) return token.item === index ? "<item>" : "<other>";
  return isNumber(token.word) ? "<number>" : token.word;
}

const classFlags = ({ classes }: Token) => classes.map((name) => CLASS_FLAGS + CHANGE_CLASSES.indexOf(name));

function headWords({ list }: ChangeText): string[] {
  return (list.head.toLowerCase().match(/[a-z0-9']+/g) ?? []).slice(-MAX_HEAD_WORDS);
}

/** A message as it is read for what it makes of one item. `before`: items that the message before changed. */
export function fateInput(change: ChangeText, index: number, before: readonly number[]): FateInput {
  const { tokens, list, asking } = change;
  const heads = headWords(change);
  const own = tokens.flatMap(({ item }, i) => (item === index ? [i] : []));
  const [first, last] = [own[0] ?? -1, own.at(-1) ?? -1];
  const sentence = tokens[first]?.sentence ?? -1;
  const words: WordInput[] = heads.map((word) => ({
    vector: vectorOf(word),
    bucket: bucketOf(`head ${word}`),
    flags: [OTHER_FLAGS],
  }));
  const near: number[] = [];
  const same: number[] = [];
  for (const [i, token] of tokens.entries()) {
    const isOther = token.item >= 0 && token.item !== index;
    const side = i < first ? 5 : i > last ? 6 : 7;
    const place = sentence < 0 ? 4 : token.sentence === sentence ? side : token.sentence < sentence ? 8 : 9;
    const distance = first < 0 ? 9 : i < first ? first - i : Math.max(0, i - last);
    const kind = token.item === index ? 0 : isOther ? 1 : token.isMark ? 2 : 3;
    const flags = [kind, place, 10 + (distance === 0 ? 0 : (i < first ? 0 : 4) + Math.min(distance, 4)), ...classFlags(token)];
    if (isOther && list.items[token.item]?.state !== "open") flags.push(OTHER_FLAGS + 1);
    if (asking[token.sentence] === true) flags.push(OTHER_FLAGS + 2);
    const name = nameOf(token, index);
    words.push({
      vector: isOther || token.isMark ? null : vectorOf(token.word),
      bucket: bucketOf(name.startsWith("<") ? name : token.stem),
      flags,
    });
    if (distance <= 3 && first >= 0) near.push(heads.length + i);
    if (sentence < 0 || token.sentence === sentence) same.push(heads.length + i);
  }
  return { words, near, same, linear: fateFeatures(change, index, before) };
}

/** A message as it is read for whether it adds items. `linear`: its `messageFeatures`. */
export function addsInput(change: ChangeText, linear: Features): FateInput {
  return { ...fateInput(change, -1, []), linear };
}

const seeds = new Map<string, number>();

function add(features: Features, name: string, group: readonly string[], weight: number): void {
  const seed = seeds.get(name) ?? seedOf(`change ${name}`);
  seeds.set(name, seed);
  push(
    features,
    [...new Set(group)].map((each) => hash(seed, each)),
    weight,
  );
}

function runs(names: readonly string[], length: number): string[] {
  return names.flatMap((_, i) => (i + length <= names.length ? [names.slice(i, i + length).join(" ")] : []));
}

/** Names of words in a row, an item of several words once. */
function merged(tokens: readonly Token[], index: number): string[] {
  const names = tokens.map((token) => nameOf(token, index));
  return ["^", ...names.filter((name, i) => !name.startsWith("<") || name === "<number>" || name !== names[i - 1]), "$"];
}

function howSpoken({ mentions, tokens, list }: ChangeText, item: KeptItem, index: number): string {
  const mention = mentions.find((each) => each.index === index);
  if (mention === undefined) return "none";
  const isFull = stemsOf(item.value, list.talk).every((stem) => tokens.some((token) => sameStem(token.stem, stem)));
  return `${isFull ? "full" : "part"} ${mention.by}`;
}

function fateFeatures(change: ChangeText, index: number, before: readonly number[]): Features {
  const features: Features = { hashes: [], values: [] };
  const { tokens, mentions, list, asking, ruled } = change;
  const item = list.items[index];
  if (item === undefined) return features;
  const spoken = howSpoken(change, item, index);
  const kind = spoken === "none" && before.includes(index) ? "before" : spoken;
  const state = item.state === "open" ? "open" : "off";
  const of = `${state} ${mentions.some((each) => each.index === index)}`;
  const others = mentions.filter((each) => each.index !== index && list.items[each.index]?.state === "open").length;
  const rule = change.fates[index] ?? "same";
  const count = tokens.at(-1)?.sentence ?? 0;
  add(
    features,
    "shape",
    [
      `kind ${kind}`,
      `rule ${rule}`,
      `rule ${rule} ${kind}`,
      `others ${Math.min(3, others)} ${of}`,
      `asks ${asking.length > 0 && asking.every(Boolean)} ${of}`,
      `adds ${Math.min(2, change.added.length)} ${of}`,
      `unsure ${ruled.list.unsure} ${ruled.changed} ${of}`,
      `length ${Math.min(6, Math.floor(tokens.length / 5))} ${of}`,
      `sentences ${Math.min(4, count)} ${of}`,
      `state ${state}`,
      `items ${Math.min(8, list.items.length)} ${of}`,
      `last ${index === list.items.length - 1} ${of}`,
    ],
    3,
  );
  const first = tokens.findIndex((token) => token.item === index);
  const last = tokens.findLastIndex((token) => token.item === index);
  const sentence = tokens[first]?.sentence ?? -1;
  const own = first < 0 ? tokens : tokens.filter((token) => token.sentence === sentence);
  const [left, right] =
    first < 0
      ? [tokens, []]
      : [own.filter((token) => tokens.indexOf(token) < first), own.filter((token) => tokens.indexOf(token) > last)];
  const rest = first < 0 ? [] : tokens.filter((token) => token.sentence !== sentence);
  const names = merged(own, index);
  const stem = (token: Token) => (token.item >= 0 ? "<other>" : token.stem);
  const named = (token: Token) => nameOf(token, index);
  add(features, `words ${of}`, names, 1.5);
  add(features, `pairs ${of}`, runs(names, 2), 1.2);
  add(features, `triples ${of}`, runs(names, 3), 0.8);
  add(features, `left ${of}`, left.map(stem), 0.8);
  add(features, `right ${of}`, right.map(stem), 0.8);
  add(
    features,
    `near ${of}`,
    [
      ...left.slice(-3).map((token, i, all) => `-${all.length - i} ${named(token)}`),
      ...right.slice(0, 3).map((token, i) => `${i + 1} ${named(token)}`),
    ],
    1,
  );
  const word = (token: Token | undefined) => token?.word ?? "$";
  add(
    features,
    `frame ${of}`,
    [
      `${word(left.at(-1))} _ ${word(right[0])}`,
      `_ ${word(right[0])} ${word(right[1])}`,
      `${word(left.at(-2))} ${word(left.at(-1))} _`,
    ],
    0.8,
  );
  add(
    features,
    `classes left ${of}`,
    left.flatMap(({ classes }) => classes),
    0.7,
  );
  add(
    features,
    `classes right ${of}`,
    right.flatMap(({ classes }) => classes),
    0.7,
  );
  add(
    features,
    `rest ${of}`,
    rest.map((token) => `${token.sentence > sentence} ${named(token)}`),
    0.7,
  );
  add(features, `rest pairs ${of}`, runs(rest.map(named), 2), 0.6);
  add(features, "asks", [`${asking[sentence] ?? false}`], 0.7);
  return features;
}

/** How the rules tag each word: outside, first or later word of an item that they add. */
function ruledTags({ text, tokens, added }: ChangeText): number[] {
  const tags = tokens.map(() => 0);
  for (const value of added) {
    const at = text.indexOf(value);
    const inside = tokens.flatMap(({ start, end }, i) => (at >= 0 && start < at + value.length && end > at ? [i] : []));
    for (const [k, i] of inside.entries()) tags[i] = k === 0 ? 1 : 2;
  }
  return tags;
}

const FATE_FLAG: Readonly<Record<string, number>> = { same: 0, "same?": 1, "done?": 1, "gone?": 1, "open?": 1 };

/** A message as it is read for the items that it adds. */
export function tagInput(change: ChangeText): TagInput {
  const { tokens, text, list, asking, ruled, added, fates, mentions } = change;
  const tags = ruledTags(change);
  const whole = [added.length > 0 ? 6 : 7, ruled.list.unsure ? 8 : 9, ruled.changed ? 10 : 11, mentions.length > 0 ? 18 : 19];
  const words: WordInput[] = [];
  const linear: Features[] = [];
  const name = (i: number) => (i < 0 ? "^" : nameOf(tokens[i], -1));
  for (const [i, token] of tokens.entries()) {
    const isItem = token.item >= 0;
    const isCapital = /^\p{Lu}/u.test(text.slice(token.start, token.end));
    const isFirst = tokens[i - 1]?.sentence !== token.sentence;
    const flags = [isItem ? 0 : token.isMark ? 1 : 2, 3 + (tags[i] ?? 0), ...whole, 12 + Math.min(3, token.sentence)];
    flags.push(asking[token.sentence] === true ? 16 : 17, ...classFlags(token));
    if (isItem && list.items[token.item]?.state !== "open") flags.push(OTHER_FLAGS + 3);
    if (isItem) flags.push(OTHER_FLAGS + 4 + (FATE_FLAG[fates[token.item] ?? "same"] ?? 2));
    if (isCapital) flags.push(OTHER_FLAGS + 7 + Number(isFirst));
    words.push({
      vector: token.isMark ? null : vectorOf(token.word),
      bucket: bucketOf(isItem ? "<other>" : isNumber(token.word) ? "<number>" : token.stem),
      flags,
    });
    const features: Features = { hashes: [], values: [] };
    const around = (places: readonly number[], of: (k: number) => readonly string[]) =>
      places.flatMap((k) => of(k).map((each) => `${k} ${each}`));
    add(
      features,
      "tag words",
      around([-3, -2, -1, 0, 1, 2, 3], (k) => [name(i + k)]),
      2,
    );
    add(
      features,
      "tag pairs",
      around([-2, -1, 0, 1], (k) => [`${name(i + k)} ${name(i + k + 1)}`]),
      1,
    );
    add(
      features,
      "tag classes",
      around([-2, -1, 0, 1, 2], (k) => tokens[i + k]?.classes ?? []),
      1,
    );
    const [tag, next] = [tags[i] ?? 0, tags[i + 1] ?? 0];
    add(
      features,
      "tag rule",
      [
        `${tag}`,
        `${tag} ${next} next`,
        `${tag} ${ruled.list.unsure} unsure`,
        `capital ${isCapital}`,
        `${mentions.length > 0} ${tag} spoken`,
      ],
      1.5,
    );
    const sentence = tokens.filter((other) => other.sentence === token.sentence);
    add(
      features,
      "tag sentence",
      sentence.flatMap((other) => [...other.classes, `word ${nameOf(other, -1)}`]),
      0.7,
    );
    linear.push(features);
  }
  return { words, linear };
}

/** A message as it is read for what it does beside the items that it names and adds, and for whether their order is understood. */
export function messageFeatures(change: ChangeText): Features {
  const features: Features = { hashes: [], values: [] };
  const { tokens, mentions, list, asking, ruled, added, fates } = change;
  const names = merged(tokens, -1);
  const spoken = Math.min(2, mentions.length);
  const nearest = Math.floor(8 * likenessOf(change));
  add(
    features,
    "message shape",
    [
      `spoken ${spoken}`,
      `changed ${ruled.changed} ${ruled.list.unsure}`,
      `added ${Math.min(2, added.length)} ${spoken}`,
      `fates ${[...new Set(fates)].toSorted().join()}`,
      `asks ${asking.length > 0 && asking.every(Boolean)}`,
      `words ${Math.min(6, Math.floor(tokens.length / 5))} ${spoken}`,
      `ordered ${list.ordered} ${ruled.list.unsure}`,
      `like ${nearest}`,
      `like ${nearest} ${spoken}`,
    ],
    3,
  );
  add(features, `message words ${spoken}`, names, 1);
  add(features, "message pairs", runs(names, 2), 1);
  add(features, "message triples", runs(names, 3), 0.6);
  add(
    features,
    `message classes ${spoken}`,
    tokens.flatMap(({ classes }) => classes),
    1,
  );
  add(
    features,
    `message ordinals ${list.ordered}`,
    list.talk.ordinals(tokens.map(({ word }) => word).join(" ")).length > 0 ? ["ordinal"] : [],
    1,
  );
  return features;
}

/** How near the meaning of a word of the message, of no item, is to a word of an item that it does not name: 0 to 1. */
function likenessOf({ tokens, mentions, list }: ChangeText): number {
  const content = tokens.filter(
    ({ item, isMark, word }) => item < 0 && !isMark && word.length > 2 && list.talk.leads("empty", word) === 0,
  );
  const spoken = content.flatMap(({ word }) => vectorOf(word) ?? []);
  const items = list.items.filter(({ state }, i) => state === "open" && !mentions.some(({ index }) => index === i));
  const own = items
    .flatMap(({ value }) => value.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .filter((word) => word.length > 2 && list.talk.leads("empty", word) === 0);
  let most = 0;
  for (const word of own) {
    const vector = vectorOf(word);
    if (vector === null) continue;
    for (const other of spoken) {
      let sum = 0;
      for (let k = 0; k < vector.length; k++) sum += (vector[k] as number) * (other[k] as number);
      if (sum > most) most = sum;
    }
  }
  return Math.min(1, most);
}
