import { setTimeout as sleep } from "node:timers/promises";

const WAIT_MS = 60_000;
const STEP_MS = 250;
const WIDTH = 100;

/** The service's answer; a request that fails ends the demo with the service's own message. */
export type Ask = (method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<Answer>;
export type Answer = { body: unknown; headers: Headers };

export function askService(url: string, key: string): Ask {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`);
    return { body: text === "" ? null : JSON.parse(text), headers: response.headers };
  };
}

/** Prints the demo for a person, and counts failed expectations. */
export function createReporter(print: (line: string) => void) {
  let wrong = 0;
  return {
    chapter: (title: string) => print(`\n${title}\n${"─".repeat(title.length)}`),
    says: (who: string, text: string) => print(wrapped(`${who}: ${text}`)),
    note: (text: string) => print(wrapped(`   ${text}`)),
    block: (text: string) => {
      for (const line of text.split("\n")) print(`   | ${line}`);
    },
    expect: (what: string, holds: boolean) => {
      print(`   ${holds ? "✓" : "✗ NOT AS IT SHOULD BE:"} ${what}`);
      if (!holds) wrong += 1;
    },
    wrong: () => wrong,
  };
}

export type Reporter = ReturnType<typeof createReporter>;

/** Asks until the answer is there, because extraction runs in the background. */
export async function until<T>(look: () => Promise<T | null>): Promise<T | null> {
  const end = performance.now() + WAIT_MS;
  while (performance.now() < end) {
    const found = await look();
    if (found !== null) return found;
    await sleep(STEP_MS);
  }
  return null;
}

function wrapped(text: string): string {
  const indent = /^\s*/.exec(text)?.[0] ?? "";
  const lines: string[] = [];
  let line = indent;
  for (const word of text.trim().split(/\s+/)) {
    if (line.length + word.length + 1 > WIDTH && line.trim() !== "") {
      lines.push(line);
      line = indent;
    }
    line += line.trim() === "" ? word : ` ${word}`;
  }
  return [...lines, line].join("\n");
}
