import { type ChainRow, type Walk, walk } from "./chain.ts";

export type Seal = { seq: number; hash: string };

/**
 * `missing_row`: there is no row with this seq. `changed_row`: one of the rows from `since` to `seq` differs from what was sealed.
 * `changed_seal`: the seal at `seq` was changed, the rows were not. `changed_row_or_seal`: one of the two; only a later seal can show
 * which. `missing_seal`: more rows than one seal covers have none.
 */
export type ChainProblem = {
  kind: "missing_row" | "changed_row" | "changed_seal" | "changed_row_or_seal" | "missing_seal";
  since: number;
  seq: number;
};

/** `to` is the last seal that the rows agree with, the start if there is none. */
export type Checked = { to: number; problem: ChainProblem | null };

type Chain = { start: Seal; rows: readonly ChainRow[]; seals: readonly Seal[]; span: number };

/**
 * Recomputes the chain from a seal over the rows after it and compares it at each later seal. `rows` and `seals` are in order and
 * begin after the start; `rows` hold all there are up to the last seal. `span` is how many rows one seal covers at most.
 */
export async function checkChain(chain: Chain): Promise<Checked> {
  let at = chain.start;
  for (const [i, seal] of chain.seals.entries()) {
    const problem =
      seal.seq - at.seq > chain.span ? missingSeal(at, seal) : await checkSeal(chain, { at, seal, next: chain.seals[i + 1] });
    if (problem !== null) return { to: at.seq, problem };
    at = seal;
  }
  return { to: at.seq, problem: null };
}

function missingSeal(at: Seal, seal: Seal): ChainProblem {
  return { kind: "missing_seal", since: at.seq + 1, seq: seal.seq - 1 };
}

async function checkSeal(chain: Chain, { at, seal, next }: { at: Seal; seal: Seal; next: Seal | undefined }) {
  const walked = await stretch(chain, at, seal.seq);
  if ("brokenAt" in walked) return { kind: walked.kind, since: walked.brokenAt, seq: walked.brokenAt };
  if (walked.hash === seal.hash) return null;
  const since = at.seq + 1;
  if (next === undefined) return { kind: "changed_row_or_seal" as const, since, seq: seal.seq };
  const reaches = async (hash: string) => {
    const on = await stretch(chain, { seq: seal.seq, hash }, next.seq);
    return "hash" in on && on.hash === next.hash;
  };
  if (await reaches(walked.hash)) return { kind: "changed_seal" as const, since: seal.seq, seq: seal.seq };
  return { kind: (await reaches(seal.hash)) ? ("changed_row" as const) : ("changed_row_or_seal" as const), since, seq: seal.seq };
}

/** The chain from one seq to another; the rows before it are known to have no gap. A missing last row is reported too. */
async function stretch({ start, rows }: Chain, from: Seal, to: number): Promise<Walk> {
  const between = rows.slice(from.seq - start.seq, to - start.seq);
  const walked = await walk(from, between);
  if ("brokenAt" in walked || from.seq + between.length === to) return walked;
  return { brokenAt: from.seq + between.length + 1, kind: "missing_row" };
}
