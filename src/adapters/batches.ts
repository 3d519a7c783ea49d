/** Runs of at most `size`, in order. */
export function batches<T>(items: readonly T[], size: number): T[][] {
  const runs: T[][] = [];
  for (let start = 0; start < items.length; start += size) runs.push(items.slice(start, start + size));
  return runs;
}

/** Answers in the order of `items`, `width` at a time; after the first failure nothing new is started. */
export async function inParallel<T, R>(items: readonly T[], width: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  const waiting = items.entries();
  let failed = false;
  const worker = async () => {
    for (const [position, item] of waiting) {
      if (failed) return;
      try {
        answers[position] = await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  return answers;
}
