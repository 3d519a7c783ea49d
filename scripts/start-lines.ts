export type StartLines = {
  /** Takes a line that the program printed. */
  take: (line: string) => void;
  /** From now on each line is passed on; those that were held are dropped. */
  drop: () => void;
  /** The same, after those that were held: the reason why it did not start is among them. */
  show: () => void;
};

/**
 * Holds what a program prints while it starts. `wrangler dev` prints its bindings twice, and warns of schedules that nothing would fire,
 * which is not so here.
 */
export function holdLines(onLine: (line: string) => void): StartLines {
  let held: string[] | null = [];
  return {
    take: (line) => {
      if (held === null) onLine(line);
      else held.push(line);
    },
    drop: () => {
      held = null;
    },
    show: () => {
      for (const line of held ?? []) onLine(line);
      held = null;
    },
  };
}
