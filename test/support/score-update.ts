import { z } from "zod";

/** What somebody says first, and later; words of the first statement that still hold, and words of what the later one replaces. */
export type UpdatePair = { first: string; later: string; stays: readonly string[]; replaced: readonly string[] };

/** `missing`: what still holds and was not found; `toldAsCurrent`: what was replaced and is shown first or unmarked; each with where. */
export type UpdateScore = { missing: string[]; toldAsCurrent: string[] };

const Shown = z.object({ content: z.string(), sessionId: z.string().nullable(), older: z.unknown().optional() });
const Answer = z.object({ hits: z.array(Shown).optional(), items: z.array(Shown).optional() });

const SURFACES = ["search", "context"] as const;

/** Asks search and context for what was said first by a user, after both statements were read. */
export async function scoreUpdate(
  ask: (path: string, body: object) => Promise<unknown>,
  { userId, laterSession, pair }: { userId: string; laterSession: string; pair: UpdatePair },
): Promise<UpdateScore> {
  const score: UpdateScore = { missing: [], toldAsCurrent: [] };
  for (const surface of SURFACES) {
    const shownFor = async (query: string) => {
      const { hits = [], items = [] } = Answer.parse(await ask(`/v1/${surface}`, { userId, query }));
      return [...hits, ...items];
    };
    for (const words of pair.stays)
      if (!(await shownFor(words)).some(({ content }) => includes(content, words))) score.missing.push(`${surface}: ${words}`);
    for (const words of pair.replaced)
      for (const query of [words, pair.first]) {
        const shown = await shownFor(query);
        const current = shown.findIndex(({ sessionId }) => sessionId === laterSession);
        const wrong = shown.some(
          ({ content, sessionId, older }, i) =>
            sessionId !== laterSession &&
            includes(content, words) &&
            (older === undefined || older === null || current < 0 || i < current),
        );
        if (wrong && !score.toldAsCurrent.includes(`${surface}: ${words}`)) score.toldAsCurrent.push(`${surface}: ${words}`);
      }
  }
  return score;
}

function includes(content: string, words: string): boolean {
  return content.toLowerCase().includes(words.toLowerCase());
}
