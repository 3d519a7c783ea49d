/** The result of work with a time limit. Late work continues, and its result is dropped. */
type Timely<T> = { ok: true; value: T } | { ok: false; reason: "timeout" } | { ok: false; reason: "failed"; error: unknown };

export async function inTime<T>(work: Promise<T>, milliseconds: number): Promise<Timely<T>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Timely<T>>((resolve) => {
    timer = setTimeout(() => resolve({ ok: false, reason: "timeout" }), milliseconds);
  });
  const done = work.then(
    (value): Timely<T> => ({ ok: true, value }),
    (error: unknown): Timely<T> => ({ ok: false, reason: "failed", error }),
  );
  const outcome = await Promise.race([done, late]);
  clearTimeout(timer);
  return outcome;
}
