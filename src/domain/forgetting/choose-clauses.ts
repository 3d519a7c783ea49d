import { type Named, scoreNamed } from "#core/linear/named";
import type { Asked, Candidate } from "./asked.ts";
import { marginalsOf } from "./clause-chain.ts";
import { chainFeatures, clauseFeatures } from "./clause-features.ts";
import { MODELS } from "./models.ts";
import { wholeFeatures } from "./whole-features.ts";

/** The probability from which a clause goes. Measured on authors left out: lower takes more of what was not meant, higher leaves more of what was. */
const GOES = 0.4;

/** What a message of two or more clauses shows of which of them are meant. */
export type ClauseFeatures = { clauses: Named[]; chain: Named[]; whole: Named };

export function readClauseFeatures(asked: Asked, candidate: Candidate): ClauseFeatures {
  const clauses = clauseFeatures(asked, candidate);
  const chain = chainFeatures(asked, candidate);
  return { clauses, chain, whole: wholeFeatures(asked, candidate, { clauses, chain }) };
}

/**
 * Which clauses of a message go. All of it is meant with some probability, some of it otherwise; of one message, a request
 * that says what may stay never means all. At least one goes.
 */
export function choosesClauses(asked: Asked, candidate: Candidate, mayGo: readonly boolean[]): boolean[] {
  if (candidate.pieces.length < 2) return candidate.pieces.map(() => true);
  const { clauses, chain, whole } = readClauseFeatures(asked, candidate);
  // Of several messages, another may be what may stay.
  const concedes = asked.candidates === 1 && (asked.request.keepsRest || asked.request.kept.length > 0);
  const all = concedes ? 0 : 1 / (1 + Math.exp(-scoreNamed(MODELS.whole, whole)));
  const { goes } = marginalsOf({
    goes: clauses.map((features) => scoreNamed(MODELS.clause, features)),
    same: chain.map((features) => scoreNamed(MODELS.clause, features)),
  });
  const odds = goes.map((some, i) => (mayGo[i] === true ? all + (1 - all) * some : 0));
  const best = Math.max(...odds);
  const least = concedes ? odds.indexOf(Math.min(...odds)) : -1;
  return odds.map((each, i) => each === best || (each > GOES && i !== least));
}
