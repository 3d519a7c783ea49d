/** The prefix of a public id tells what it names. */
export const ID_PREFIX = {
  tenant: "ten",
  space: "spa",
  user: "usr",
  key: "key",
  project: "prj",
  session: "ses",
  episode: "epi",
  job: "job",
  audit: "aud",
  person: "per",
  merge: "mrg",
  memory: "mem",
  entity: "ent",
} as const;

export type IdKind = keyof typeof ID_PREFIX;

/** UUIDv7 of RFC 9562: 48 bits of Unix milliseconds, then 74 random bits, so that ids sort by time. */
export function uuidv7(now: number, random: Uint8Array<ArrayBuffer>): string {
  const bytes = new Uint8Array(random.subarray(0, 16));
  const view = new DataView(bytes.buffer);
  view.setUint16(0, Math.floor(now / 2 ** 32));
  view.setUint32(2, now % 2 ** 32);
  view.setUint8(6, (view.getUint8(6) & 0x0f) | 0x70);
  view.setUint8(8, (view.getUint8(8) & 0x3f) | 0x80);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** A public id such as `epi_0190…`: prefixed, time-ordered, unguessable. */
export function publicId(kind: IdKind, now: number): string {
  return `${ID_PREFIX[kind]}_${uuidv7(now, crypto.getRandomValues(new Uint8Array(16)))}`;
}

/** The part of a public id behind its prefix, for cursors, and back. */
export function withoutPrefix(id: string): string {
  return id.replace(/^[a-z]{3}_/, "");
}

export function withPrefix(kind: IdKind, rest: string): string {
  return `${ID_PREFIX[kind]}_${withoutPrefix(rest)}`;
}

/** Whether the string has the shape of a public id of this kind; it may still name nothing. */
export function isPublicId(kind: IdKind, value: string): boolean {
  return new RegExp(`^${ID_PREFIX[kind]}_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).test(value);
}
