import { toNormalizedText } from "#core/language/folded";
import type { Features } from "#core/linear/features";
import type { PackedModel } from "#core/linear/model";
import type { PackedTable } from "#core/network/packed";
import { addsInput, fateInput, messageFeatures, tagInput } from "../../src/domain/facts/change-features.ts";
import type { PackedChangeModels, PackedNetwork } from "../../src/domain/facts/change-models.ts";
import { type ChangeText, changeTextOf } from "../../src/domain/facts/change-text.ts";
import { applyEdit } from "../../src/domain/facts/edit-list.ts";
import { changedList, isJudged } from "../../src/domain/facts/learned-change.ts";
import { cachingWords } from "../../src/domain/facts/talk-words.ts";
import { trainLogistic } from "../judge/logistic.ts";
import { packed } from "../judge/packed.ts";
import type { ListChat } from "../questions/talk.ts";
import { type Step, stepsOf } from "./steps.ts";
import {
  type FateExample,
  type NetworkTraining,
  type TagExample,
  type TrainedNetwork,
  trainFates,
  trainTags,
} from "./train-network.ts";

const FATES: NetworkTraining = {
  epochs: 7,
  rate: 0.004,
  decay: 0.01,
  dropout: { words: 0.1, summaries: 0.3 },
  linear: { buckets: 2 ** 15, rate: 0.05, decay: 3e-3 },
  seed: 1,
};
const ADDS: NetworkTraining = { ...FATES, linear: { ...FATES.linear, buckets: 2 ** 13 } };
const TAGS: NetworkTraining = {
  epochs: 6,
  rate: 0.004,
  decay: 0.01,
  dropout: { words: 0.1, summaries: 0 },
  linear: { buckets: 2 ** 13, rate: 0.05, decay: 3e-4 },
  seed: 1,
};
const MESSAGES = { buckets: 2 ** 12, epochs: 12, rate: 0.1, decay: 1e-3 };
/** Of the messages that are about no list, every so many-th is read as said after one. */
const OTHER_EVERY = 12;
const NEXT_LIST = 37;

/** What the models learn from one message. */
export type Lesson = {
  fates: FateExample[];
  adds: FateExample;
  tags: TagExample | null;
  done: Labelled[];
  beyond: Labelled;
  order: Labelled;
};
type Labelled = { features: Features; label: number };

/** What is learned of each chat, and of messages that are about no list. */
export function lessonsOf(chats: readonly ListChat[]): Lesson[] {
  return chats
    .filter(({ lang }) => lang === "en")
    .flatMap((chat) => stepsOf(chat).map((step) => cachingWords(() => lessonOf(step))));
}

export function otherLessons(chats: readonly ListChat[], other: readonly string[]): Lesson[] {
  const steps = chats.filter(({ lang }) => lang === "en").flatMap((chat) => stepsOf(chat).slice(-1));
  return other
    .filter((text, i) => i % OTHER_EVERY === 0 && text.length <= 400)
    .flatMap((text, i): Lesson[] => {
      const step = steps[(i * NEXT_LIST) % steps.length];
      return step === undefined
        ? []
        : [cachingWords(() => lessonOf({ ...step, text, changed: [], added: [], done: [], now: openOf(step) }))];
    });
}

function openOf({ list }: Step): string[] {
  return list.items.filter(({ state }) => state === "open").map(({ value }) => value);
}

function lessonOf(step: Step): Lesson {
  const { list, text, before, changed, added, done, now } = step;
  const change = changeTextOf(list, text, applyEdit(list, text));
  const judged = list.items.flatMap((_, i) => (isJudged(change, i) ? [i] : []));
  const tags = tagsOf(change, added);
  const features = messageFeatures(change);
  const truly = changedList(change, {
    goes: list.items.map(({ state }, i) => Number(state === "open" && changed.includes(i))),
    returns: list.items.map(({ state }, i) => Number(state !== "open" && changed.includes(i))),
    done: [],
    added: added.map((value) => ({ value, odds: 1 })),
    addedOdds: 1,
    beyond: 0,
    order: 1,
  });
  const order = truly.items.filter(({ state }) => state === "open").map(({ value }) => value);
  const isInOrder = order.length === now.length && order.every((value, i) => isWithin(now[i] ?? "", value));
  return {
    fates: judged.map((i) => ({ input: fateInput(change, i, before), changes: changed.includes(i) })),
    adds: { input: addsInput(change, features), changes: added.length > 0 },
    tags: tags === null ? null : { input: tagInput(change), tags },
    done: changed.flatMap((i, k) =>
      done[k] === null ? [] : [{ features: fateInput(change, i, before).linear, label: Number(done[k]) }],
    ),
    beyond: { features, label: Number(changed.some((i) => !judged.includes(i))) },
    order: { features, label: Number(isInOrder) },
  };
}

const plain = (text: string): string => toNormalizedText(text).trim();

function isWithin(value: string, said: string): boolean {
  return plain(said).includes(plain(value)) || plain(value).includes(plain(said));
}

/** The tag of each word: outside, first or later word of an added item; null if one of them is not in the message. */
function tagsOf({ text, tokens }: ChangeText, added: readonly string[]): number[] | null {
  const tags = tokens.map(() => 0);
  const normalized = toNormalizedText(text);
  for (const value of added) {
    const words = plain(value);
    let inside: number[] = [];
    for (let at = normalized.indexOf(words); at >= 0 && inside.length === 0; at = normalized.indexOf(words, at + 1)) {
      const own = tokens.flatMap(({ start, end }, i) => (start < at + words.length && end > at ? [i] : []));
      if (tokens[own[0] ?? -1]?.start === at && own.every((i) => tags[i] === 0)) inside = own;
    }
    if (inside.length === 0) return null;
    for (const [k, i] of inside.entries()) tags[i] = k === 0 ? 1 : 2;
  }
  return tags;
}

/** Trains the models of changes to lists. */
export function trainChanges(lessons: readonly Lesson[]): PackedChangeModels {
  return {
    fate: packedNetwork(
      trainFates(
        lessons.flatMap(({ fates }) => fates),
        FATES,
      ),
    ),
    adds: packedNetwork(
      trainFates(
        lessons.map(({ adds }) => adds),
        ADDS,
      ),
    ),
    added: packedNetwork(
      trainTags(
        lessons.flatMap(({ tags }) => tags ?? []),
        TAGS,
      ),
    ),
    done: packedMessage(lessons.flatMap(({ done }) => done)),
    beyond: packedMessage(lessons.map(({ beyond }) => beyond)),
    order: packedMessage(lessons.map(({ order }) => order)),
  };
}

function packedMessage(examples: readonly Labelled[]): PackedModel {
  return packed(trainLogistic(examples, MESSAGES));
}

function packedNetwork({ tables, linear }: TrainedNetwork): PackedNetwork {
  return {
    tables: Object.fromEntries(
      Object.entries(tables)
        .filter(([, table]) => table.length > 0)
        .map(([name, table]) => [name, packedTable(table)]),
    ),
    linear: linear.map(packed),
  };
}

function packedTable(table: Float32Array): PackedTable {
  const scale = table.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127 || 1;
  const bytes = Int8Array.from(table, (weight) => Math.round(weight / scale));
  return { weights: Buffer.from(bytes.buffer).toString("base64"), scale: Number(scale.toPrecision(6)) };
}
