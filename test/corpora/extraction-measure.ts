import type { ExpectedMemory, ExtractionCase, ExtractionMessage, Reason } from "./extraction-cases.ts";

type Found = Omit<ExpectedMemory, "type"> & { type: string };

export type Take = (messages: readonly ExtractionMessage[]) => readonly Found[];

export type Counts = { right: number; excess: number; missed: number };

export type Measured = {
  all: Counts;
  byCategory: ReadonlyMap<string, Counts>;
  byLanguage: ReadonlyMap<string, Counts>;
  /** Of those that are right, how many agree in type, key, people, group and sensitivity too. */
  exact: number;
  /** What was taken from messages that have a reason not to be taken from, by reason. */
  forbidden: ReadonlyMap<Reason, readonly string[]>;
  /** For people: what went wrong. */
  faults: readonly string[];
};

/** A found memory is right if its category and its words are those expected, to the letter. */
export function measure(cases: readonly ExtractionCase[], take: Take): Measured {
  const all: Counts = { right: 0, excess: 0, missed: 0 };
  const byCategory = new Map<string, Counts>();
  const byLanguage = new Map<string, Counts>();
  const forbidden = new Map<Reason, string[]>();
  const faults: string[] = [];
  let exact = 0;
  for (const { messages, expected, language, reason } of cases) {
    const count = (outcome: keyof Counts, { category, content }: Found) => {
      for (const counts of [all, of(byCategory, category), of(byLanguage, language)]) counts[outcome] += 1;
      if (outcome !== "right") faults.push(`${outcome} ${category}: ${content}`);
    };
    const left = [...take(messages)];
    for (const one of expected) {
      const at = left.findIndex((found) => found.category === one.category && found.content === one.content);
      const [found] = at < 0 ? [] : left.splice(at, 1);
      count(found === undefined ? "missed" : "right", one);
      if (found === undefined) continue;
      if (isExact(one, found)) exact += 1;
      else faults.push(`in part ${one.category}: ${one.content}`);
    }
    for (const found of left) count("excess", found);
    if (reason !== null && left.length > 0)
      forbidden.set(reason, [...(forbidden.get(reason) ?? []), ...left.map(({ content }) => content)]);
  }
  return { all, byCategory, byLanguage, exact, forbidden, faults };
}

export function precision({ right, excess }: Counts): number {
  return right + excess === 0 ? 1 : right / (right + excess);
}

export function recall({ right, missed }: Counts): number {
  return right + missed === 0 ? 1 : right / (right + missed);
}

function of(counts: Map<string, Counts>, name: string): Counts {
  const found = counts.get(name) ?? { right: 0, excess: 0, missed: 0 };
  counts.set(name, found);
  return found;
}

function isExact(one: ExpectedMemory, found: Found): boolean {
  const facts = ({ type, key, isOfGroup, sensitivity, people }: Found) =>
    JSON.stringify([type, key, isOfGroup, sensitivity, people.map(({ name, relationship }) => [name, relationship])]);
  return facts(one) === facts(found);
}
