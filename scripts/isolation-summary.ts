/** The results that the two isolation tests print at their ends, combined. */
export type Summary = {
  /** Comparisons of one viewer with one memory, by one kind of read. */
  checks: number;
  worlds: number;
  /** With how many comparisons, or calls, each. */
  driven: Record<string, number>;
  leaks: number;
  denials: number;
};

const MEMORIES =
  /^memories: (?<checks>\d+) checks, (?<worlds>\d+) worlds, seed \d+, endpoints driven: (?<driven>.*); leaks (?<leaks>\d+), wrongful denials (?<denials>\d+)$/m;
const EPISODES = /^visibility: (?<worlds>\d+) worlds, seed \d+ (?<json>\{.*\})$/m;

/** The counts of the test of episodes beside reads: its actions, and the places of its viewers. */
const NO_READS = ["commands", "pools"];

/** null unless both tests finished. The test of episodes stops at its first mistake, so a finished one found none. */
export function readSummaries(output: string): Summary | null {
  const memories = MEMORIES.exec(output)?.groups;
  const episodes = EPISODES.exec(output)?.groups;
  if (memories === undefined || episodes === undefined) return null;
  const { checks }: { checks: Record<string, number> } = JSON.parse(episodes.json ?? "{}");
  const ofEpisodes = Object.entries(checks).flatMap(([name, n]) =>
    NO_READS.includes(name) ? [] : [[`episodes' ${name}`, n] as const],
  );
  const ofMemories = (memories.driven ?? "").split(", ").map((part) => {
    const end = part.lastIndexOf(" ");
    return [part.slice(0, end), Number(part.slice(end + 1))] as const;
  });
  return {
    checks: Number(memories.checks),
    worlds: Number(memories.worlds) + Number(episodes.worlds),
    driven: Object.fromEntries([...ofMemories, ...ofEpisodes]),
    leaks: Number(memories.leaks),
    denials: Number(memories.denials),
  };
}

export function summaryLine({ checks, worlds, driven, leaks, denials }: Summary): string {
  const grouped = (n: number) => n.toLocaleString("en");
  const names = Object.entries(driven).map(([name, n]) => `${name} ${grouped(n)}`);
  return `${grouped(checks)} checks, ${grouped(worlds)} worlds, endpoints driven: ${names.join(", ")}; leaks ${leaks}, wrongful denials ${denials}`;
}
