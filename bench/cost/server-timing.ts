import type { Counts } from "./counts.ts";

export type Timing = { name: string; milliseconds: number | null; facts: Record<string, number> };

const METRIC = /\s*([\w-]+)((?:;[^,;="]+=(?:"[^"]*"|[^",;]*))*)\s*(?:,|$)/gy;
const PARAMETER = /;\s*([^=\s]+)=(?:"([^"]*)"|([^;]*))/g;
const FACT = /([\w-]+)=(\d+(?:\.\d+)?)/g;

/** The metrics of a `server-timing` header. Numbers in a description (`trips=2 read=14`) become its facts. Throws when it is no such header. */
export function parseServerTiming(header: string): Timing[] {
  const metrics = [...header.matchAll(METRIC)];
  const read = metrics.reduce((length, [whole]) => length + whole.length, 0);
  if (read !== header.length) throw new Error(`Not a server-timing header: ${header}`);
  return metrics.map(([, name = "", parameters = ""]) => {
    const values = new Map(
      [...parameters.matchAll(PARAMETER)].map(([, key = "", quoted, plain]) => [key, quoted ?? plain ?? ""]),
    );
    const duration = values.get("dur");
    const facts = [...(values.get("desc") ?? "").matchAll(FACT)].map(([, key = "", value]) => [key, Number(value)] as const);
    return { name, milliseconds: duration === undefined ? null : Number(duration), facts: Object.fromEntries(facts) };
  });
}

/** The counts in the header of an admin's answer; tokens and written vectors are not in the header and are 0 here. */
export function countsOf(header: string): Counts {
  const timings = new Map(parseServerTiming(header).map((timing) => [timing.name, timing.facts]));
  const fact = (metric: string, name: string): number => {
    const value = timings.get(metric)?.[name];
    if (value === undefined) throw new Error(`No ${name} in the server-timing header. Does the key have the admin permission?`);
    return value;
  };
  return {
    trips: fact("d1", "trips"),
    statements: fact("d1", "statements"),
    rowsRead: fact("d1", "read"),
    rowsWritten: fact("d1", "written"),
    embeddings: fact("work", "embeddings"),
    embeddingTokens: 0,
    vectorQueries: fact("work", "vectors"),
    vectorsWritten: 0,
    messages: fact("work", "messages"),
    requests: 1,
  };
}

/** Milliseconds spent in the database, from the header of an admin's answer. */
export function databaseMsOf(header: string): number {
  return parseServerTiming(header).find(({ name }) => name === "d1")?.milliseconds ?? 0;
}
