/** From when and until when somebody took part in a session, Unix milliseconds; null for who has not left. */
export type Stay = readonly [joinedAt: number, leftAt: number | null];

/** Where somebody was when words were stored: whom a name in the words may mean is who took part then. */
export type Presence = {
  tookPart: boolean;
  /** Whether they had joined by then, though they may have left again. */
  hadJoined: boolean;
};

export function presenceAt(stays: readonly Stay[], at: number): Presence {
  const begun = stays.filter(([joinedAt]) => joinedAt <= at);
  return { hadJoined: begun.length > 0, tookPart: begun.some(([, leftAt]) => leftAt === null || leftAt > at) };
}

/** The same for words between which nobody joined or left, so that a name means the same person in all of them. */
export function presenceKey(people: readonly (Presence & { userId: number })[]): string {
  return JSON.stringify(people.map(({ userId, tookPart, hadJoined }) => [userId, tookPart, hadJoined]));
}
