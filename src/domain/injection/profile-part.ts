import { type Limits, SECTIONS, type Section } from "#domain/profile";
import type { Asked } from "./asked.ts";

/** An item of the profile, in the section in which it is read. */
export type ProfileItem<C> = C & { section: Section; limits: Limits };

/** The share of the whole block that a profile may take. */
export const SHARE_OF_PROFILE = 0.2;
/** Of that, what wishes may take before anything else has its turn. */
const SHARE_OF_WISHES = 0.6;

/** What a small budget has of a profile: what an answer may be wrong without. A question for something known asks for no advice. */
export function limiting<C extends { limits: Limits }>(items: readonly C[], { known }: Asked): C[] {
  return items.filter(({ limits }) => limits === "answers" || (limits === "advice" && !known));
}

export type ProfileBounds<C> = {
  maxTokens: number;
  limit: number;
  /** What the part costs without items. */
  heading: number;
  costOf: (item: C) => number;
  /** Whether an item says what is in the block already, beside the profile's own items so far. */
  repeats: (item: C, taken: readonly C[]) => boolean;
};

/**
 * What of a profile fits: the viewer's wishes up to their share, then everything by its worth. Returned as it is read, with what it costs.
 */
export function withinProfile<C>(
  items: readonly ProfileItem<C>[],
  { maxTokens, limit, heading, costOf, repeats }: ProfileBounds<ProfileItem<C>>,
): { items: ProfileItem<C>[]; tokens: number } {
  const taken = new Set<ProfileItem<C>>();
  let used = heading;
  const take = (from: readonly ProfileItem<C>[], upTo: number) => {
    for (const item of from) {
      const cost = costOf(item);
      if (taken.has(item) || taken.size >= limit || used + cost > upTo || repeats(item, [...taken])) continue;
      taken.add(item);
      used += cost;
    }
  };
  const isWish = ({ section }: ProfileItem<C>) => section === "wishes";
  take(items.filter(isWish), heading + SHARE_OF_WISHES * (maxTokens - heading));
  take(
    items.filter((item) => !isWish(item)),
    maxTokens,
  );
  take(items.filter(isWish), maxTokens);
  return {
    items: SECTIONS.flatMap((section) => [...taken].filter((item) => item.section === section)),
    tokens: taken.size === 0 ? 0 : used,
  };
}
