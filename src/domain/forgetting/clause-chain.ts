/** A score for that a clause goes, and for each pair of neighbours one for that both go or both stay. */
export type Chain = { goes: readonly number[]; same: readonly number[] };
/** The probability of each, of choices of some clauses and not of all. */
export type Marginals = { goes: number[]; same: number[] };

/** So far only clauses that stay; only such that go; both, the last stays; both, the last goes. As log weights. */
type State = readonly [number, number, number, number];
const NEVER = Number.NEGATIVE_INFINITY;

/**
 * The probability of each clause to go, where at least one goes and at least one stays: a linear-chain conditional random field (Lafferty,
 * McCallum and Pereira, 2001) by forward and backward sums, in time linear in the clauses. Needs two clauses.
 */
export function marginalsOf({ goes, same }: Chain): Marginals {
  const last = goes.length - 1;
  const forward: State[] = [[0, goes[0] ?? 0, NEVER, NEVER]];
  for (let i = 1; i <= last; i++) {
    const [stays, go, mixedStays, mixedGo] = forward[i - 1] as State;
    const [equal, score] = [same[i - 1] ?? 0, goes[i] ?? 0];
    forward.push([
      stays + equal,
      go + equal + score,
      addLogs(go, mixedGo, mixedStays + equal),
      addLogs(stays, mixedStays, mixedGo + equal) + score,
    ]);
  }
  const backward: State[] = [[NEVER, NEVER, 0, 0]];
  for (let i = last - 1; i >= 0; i--) {
    const [stays, go, mixedStays, mixedGo] = backward.at(-1) as State;
    const [equal, score] = [same[i] ?? 0, goes[i + 1] ?? 0];
    const toGo = score + mixedGo;
    backward.push([
      addLogs(equal + stays, toGo),
      addLogs(equal + score + go, mixedStays),
      addLogs(equal + mixedStays, toGo),
      addLogs(equal + toGo, mixedStays),
    ]);
  }
  backward.reverse();
  const [, , endStays, endGo] = forward[last] as State;
  const all = addLogs(endStays, endGo);
  return {
    goes: goes.map((_, i) => {
      const [before, after] = [forward[i] as State, backward[i] as State];
      return Math.exp(addLogs(before[1] + after[1], before[3] + after[3]) - all);
    }),
    same: same.map((equal, i) => {
      const [before, after, score] = [forward[i] as State, backward[i + 1] as State, goes[i + 1] ?? 0];
      const stay = addLogs(before[0] + after[0], before[2] + after[2]);
      const go = addLogs(before[1] + after[1], before[3] + after[3]) + score;
      return Math.exp(addLogs(stay, go) + equal - all);
    }),
  };
}

function addLogs(...logs: number[]): number {
  const most = Math.max(...logs);
  return most === NEVER ? NEVER : most + Math.log(logs.reduce((sum, each) => sum + Math.exp(each - most), 0));
}
