import { piecesOf } from "#core/language/forget-clauses";
import { type ForgetRequest, parseForgetRequest } from "#core/language/forget-requests";
import type { PackedModel } from "#core/linear/model";
import type { Named } from "#core/linear/named";
import { type Asked, askedOf, type Candidate } from "../../src/domain/forgetting/asked.ts";
import { chainFeatures, clauseFeatures } from "../../src/domain/forgetting/clause-features.ts";
import { requestFeaturesIn } from "../../src/domain/forgetting/context-features.ts";
import { messageFeatures } from "../../src/domain/forgetting/message-features.ts";
import { wholeFeatures } from "../../src/domain/forgetting/whole-features.ts";
import { type Example, trainLogistic } from "../judge/logistic.ts";
import { packed } from "../judge/packed.ts";
import { likeness } from "./likeness.ts";
import { type Choice, trainChain, trainDecision, trainRanking } from "./named.ts";
import type { ForgetLine } from "./talk.ts";

const ASKS = { buckets: 2 ** 15, epochs: 20, rate: 0.1, decay: 1e-3 };
/** A message of ordinary talk, which asks for nothing, beside one of a line. */
const WEIGHT_OF_TALK = 0.03;
const WEIGHT_ELSEWHERE = 1;
/** Spreads what was told over the orders; no common factor with the number of either. */
const STRIDE = 7;
const TIMES_ELSEWHERE = 2;
const MESSAGE = { epochs: 30, rate: 0.1, decay: 0.01, least: 2 };
const CLAUSE = { epochs: 20, rate: 0.1, decay: 0.02, least: 4 };

/** The models of `src/core/language` and of `src/domain/forgetting`. */
export type ForgetModels = {
  language: { asks: PackedModel };
  domain: { asks: PackedModel; message: Named; whole: Named; clause: Named };
};

/** Trains every model on these lines; `talk` are messages that ask for nothing. */
export function train(lines: readonly ForgetLine[], talk: readonly string[]): ForgetModels {
  const none = talk.map((text): Example => ({ features: parseForgetRequest(text).features, label: 0, weight: WEIGHT_OF_TALK }));
  const read = lines.map((line) => ({ line, request: parseForgetRequest(line.text) }));
  const label = ({ request }: ForgetLine) => (request ? 1 : 0);
  const alone = read.map(({ line, request }): Example => ({ features: request.features, label: label(line) }));
  const told = lines.filter(({ request, before }) => request && before.length > 0).map(({ before }) => before.toReversed());
  const toldBefore = (i: number) => told[(i * STRIDE) % Math.max(1, told.length)] ?? [];
  // What was told before does not make an order a request: the same orders follow what others asked to be forgotten.
  const elsewhere = read.flatMap(({ line, request }, i): Example[] => {
    if (line.request && line.before.length > 0) return [];
    const times = line.request ? 1 : TIMES_ELSEWHERE;
    return Array.from({ length: times }, (_, time) => ({
      features: requestFeaturesIn(request, toldBefore(i * TIMES_ELSEWHERE + time)),
      label: label(line),
      weight: WEIGHT_ELSEWHERE,
    }));
  });
  const talkElsewhere = talk.map(
    (text, i): Example => ({
      features: requestFeaturesIn(parseForgetRequest(text), toldBefore(i)),
      label: 0,
      weight: WEIGHT_OF_TALK,
    }),
  );
  const among = read.map(
    ({ line, request }): Example => ({ features: requestFeaturesIn(request, line.before.toReversed()), label: label(line) }),
  );
  const meant = read.filter(({ line }) => line.request && line.target.length > 0).map(choicesOf);
  return {
    language: { asks: packed(trainLogistic([...alone, ...none], ASKS)) },
    domain: {
      asks: packed(trainLogistic([...among, ...elsewhere, ...talkElsewhere], ASKS)),
      message: trainRanking(
        meant.map(({ messages }) => messages),
        MESSAGE,
      ),
      whole: trainDecision(
        meant.flatMap(({ whole }) => whole),
        CLAUSE,
      ),
      clause: trainChain(
        meant.flatMap(({ chains }) => chains),
        CLAUSE,
      ),
    },
  };
}

type Chosen = { clauses: Choice; chain: Named[] };
type Choices = { messages: Choice; whole: Choice[]; chains: Chosen[] };

function choicesOf({ line, request }: { line: ForgetLine; request: ForgetRequest }): Choices {
  const before = line.before.toReversed();
  const candidates = [
    { text: line.text, pieces: request.stated, back: 0, isHere: true },
    ...before.map((text, i) => ({ text, pieces: piecesOf(text), back: i + 1, isHere: true })),
  ].filter(({ pieces }) => pieces.length > 0);
  const asked = askedOf(
    request,
    candidates.filter(({ back }) => back > 0),
    likeness,
  );
  const isMeant = candidates.map(({ text }) => line.target.some((words) => text.includes(words)));
  const meant = candidates
    .filter((_, i) => isMeant[i])
    .map((candidate) => ({ candidate, isChosen: inTarget(line, candidate) }))
    .filter(({ isChosen }) => isChosen.length > 1 && isChosen.some(Boolean));
  const all = joined(line, candidates);
  return {
    messages: { features: messageFeatures(asked, candidates), isChosen: isMeant },
    whole: meant.map(({ candidate, isChosen }) => ({
      features: [wholeOf(asked, candidate)],
      isChosen: [isChosen.every(Boolean)],
    })),
    chains: [...meant, ...(candidates.length > 1 ? [all] : [])].filter(isPartial).map(({ candidate, isChosen }) => ({
      clauses: { features: clauseFeatures(asked, candidate), isChosen },
      chain: chainFeatures(asked, candidate),
    })),
  };
}

function wholeOf(asked: Asked, candidate: Candidate): Named {
  const [clauses, chain] = [clauseFeatures(asked, candidate), chainFeatures(asked, candidate)];
  return wholeFeatures(asked, candidate, { clauses, chain });
}

type Marked = { candidate: Candidate; isChosen: boolean[] };

function isPartial({ isChosen }: Marked): boolean {
  return isChosen.some(Boolean) && !isChosen.every(Boolean);
}

/** All that was said, as one message: which words of a request mean what goes and what stays shows there too. */
function joined(line: ForgetLine, candidates: readonly Candidate[]): Marked {
  const said = candidates.filter((candidate) => candidate.back > 0 || inTarget(line, candidate).some(Boolean)).toReversed();
  return {
    candidate: {
      text: said.map(({ text }) => text).join("\n"),
      pieces: said.flatMap(({ pieces }, message) =>
        pieces.map((piece) => ({ ...piece, sentence: message * MOST_SENTENCES + piece.sentence })),
      ),
      back: 1,
      isHere: true,
    },
    isChosen: said.flatMap((candidate) => inTarget(line, candidate)),
  };
}

/** More than a message has. */
const MOST_SENTENCES = 50;

/** Which clauses of a message are meant: at least half of each lies in what is. */
function inTarget({ target }: ForgetLine, { text, pieces }: Candidate): boolean[] {
  return pieces.map(({ start, end }) =>
    target.some((words) => {
      const at = text.indexOf(words);
      return at >= 0 && Math.min(end, at + words.length) - Math.max(start, at) >= (end - start) / 2;
    }),
  );
}
