const MINUTE_MS = 60_000;

/** `2026-11-22 10:30` in the zone of this machine, or `-`. */
export function dateTime(iso: string | null | undefined): string {
  if (iso === null || iso === undefined) return "-";
  const time = new Date(iso);
  const local = new Date(time.getTime() - time.getTimezoneOffset() * MINUTE_MS);
  return local.toISOString().slice(0, 16).replace("T", " ");
}

/** The day of it. */
export const day = (iso: string | null | undefined): string => dateTime(iso).slice(0, 10);
