import { tokensOf } from "#core/language/tokens";
import type { Named } from "#core/linear/named";
import { sensitivityOf } from "#core/safety/sensitivity";
import { type Asked, type Candidate, isContinuing } from "./asked.ts";

const ROLES = ["asks", "keeps", "states"];

/** What a message of two or more clauses shows of being meant as a whole; `clauses` and `chain` are the features of those. */
export function wholeFeatures(
  { request, words, candidates, similarity }: Asked,
  { pieces, back }: Candidate,
  { clauses, chain }: { clauses: readonly Named[]; chain: readonly Named[] },
): Named {
  const count = pieces.length;
  const tokens = pieces.map(({ text }) => tokensOf(text));
  const ofThemselves = tokens.filter((of) => of.some(({ name }) => name === "me" || name === "us")).length;
  const sensitive = pieces.filter(({ text }) => sensitivityOf(text) === "sensitive").length;
  const alike = chain.map((features) => features["chain sim"] ?? 0);
  const likenesses = similarity?.(
    `${request.object} ${request.beside}`,
    pieces.map(({ text }) => text),
  ) ?? [0];
  const asksElse = pieces.some(
    ({ isQuestion }, i) => isQuestion || tokens[i]?.[0]?.name === "ask" || tokens[i]?.[0]?.name === "order",
  );
  const needs = tokens.some((of) => of.some(({ word }) => word === "need" || word === "want" || word === "help"));
  const others = candidates > 1 ? "other messages" : "alone";
  const statements = pieces.filter(
    ({ text, sentence }, i) => i === 0 || sentence !== pieces[i - 1]?.sentence || !isContinuing(text),
  ).length;
  const shapes = [
    `named ${Math.min(2, words.named.length)}`,
    `beside ${Math.min(2, words.beside.length)}`,
    `around ${Math.min(2, words.around.length)}`,
    `pieces ${Math.min(6, count)}`,
    `sentences ${Math.min(3, new Set(pieces.map(({ sentence }) => sentence)).size)}`,
    `subjects ${Math.min(4, ofThemselves)}`,
    ...new Set(request.parts.map(({ role }) => `role ${role}`)),
    ...(["keepsRest", "isWhole", "isBare", "isAll"] as const).filter((name) => request[name]),
    ...(request.kept.length > 0 ? ["kept", `kept, ${others}`] : []),
    ...(request.keepsRest ? [`keepsRest, ${others}`] : []),
    `statements ${Math.min(4, statements)}, ${others}`,
    `statements ${Math.min(4, statements)}`,
    ...(back === 0 ? ["own"] : []),
    ...(sensitive === count ? ["all private"] : []),
    ...(sensitive === 1 ? ["one private"] : []),
    ...(asksElse ? ["asks something"] : []),
    ...(needs ? ["needs"] : []),
    others,
  ];
  return {
    bias: 1,
    ...Object.fromEntries(shapes.map((shape) => [shape, 1])),
    "more pieces": Math.log2(count),
    "private share": sensitive / count,
    subjects: ofThemselves / count,
    "least coherent": Math.min(1, ...alike),
    coherent: alike.reduce((sum, each) => sum + each, 0) / Math.max(1, alike.length),
    "least similar": Math.min(...likenesses),
    "most similar": Math.max(...likenesses),
    ...Object.assign({}, ...ROLES.map((role) => spreadOf(clauses, role))),
  };
}

/** How clearly parts of this role mean one clause more than the others. */
function spreadOf(clauses: readonly Named[], role: string): Named {
  const values = clauses.map((features) => features[`like ${role}`] ?? 0).sort((a, b) => b - a);
  const [first = 0, second = 0] = values;
  return {
    [`best ${role}`]: first,
    [`spread ${role}`]: first - (values.at(-1) ?? 0),
    [`margin ${role}`]: first - second,
  };
}
