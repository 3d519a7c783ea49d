import type { MemoryWorld, Standing } from "./memory-model.ts";
import { check, type Row, record, type Tally } from "./memory-tally.ts";
import { isSpeakerDisclosed } from "./memory-views.ts";
import { COMMON_WORD, decisionOf, described, placeOf, stands } from "./memory-world.ts";
import { openedAt } from "./world.ts";

type Item = { citation: string; id: string; content: string; speaker: string | null; explain: { visibleBy: string } };
type Context = { block: string; items: Item[]; degraded: unknown[]; tokens: { used: number; budget: number } };

const STRATEGIES = ["text", "hybrid", "recent"] as const;

/** A context for the word that all memories hold returns those that the rule shows, of no other project than the viewer's, in its items and in its block alike. */
export async function compareContext(asking: {
  world: MemoryWorld;
  tally: Tally;
  standing: Standing;
  rows: readonly Row[];
}): Promise<void> {
  const { world, tally, rows } = asking;
  const means = "context";
  const { tenant, user } = asking.standing;
  const asker = tenant.people.find((somebody) => somebody.user?.name === user);
  const about = asker !== undefined && world.random.chance(0.5) ? [asker] : [];
  const standing: Standing = {
    ...openedAt(asking.standing),
    reach: "tenant",
    about,
    except: null,
    ownProjectOnly: true,
    mayBeNew: true,
  };
  const query = about.length === 0 ? COMMON_WORD : `What is my ${COMMON_WORD}?`;
  const answer = await tenant.harness.fetch<Context>("POST", "/v1/context", {
    body: {
      ...{ query, strategy: world.random.pick(STRATEGIES), kinds: ["memory"], limit: 100, maxTokens: 16_000 },
      ...{ explain: true, ...placeOf(asking.standing) },
    },
  });
  const isRefused = !stands(world, standing) && (standing.session !== null || standing.project !== null);
  if (answer.status !== (isRefused ? 404 : 200))
    throw new Error(`${means} answered ${answer.status} to ${described(standing)}: ${answer.text}`);
  const { block, items } = answer.status === 200 ? answer.json : { block: "", items: [] };
  const lines = block.split("\n").filter((line) => line.startsWith("[M"));
  for (const row of rows) {
    const { rule, visible } = decisionOf(world, standing, row);
    const item = items.find(({ id }) => id === row.memory.publicId);
    const line = lines.find((text) => text.endsWith(`) ${row.memory.content}`));
    check(tally, means, { standing, row, rule, expected: visible, shown: item !== undefined });
    check(tally, "context's block", { standing, row, rule, expected: visible, shown: line !== undefined });
    if (!visible || item === undefined) continue;
    if (item.explain.visibleBy !== rule)
      throw new Error(`${means} says ${item.explain.visibleBy}, not ${rule}, to ${described(standing)}.`);
    const { statedBy, owner, session: home } = row.memory;
    const isShown = isSpeakerDisclosed({ world, standing, row });
    const isForeign = rule === "cross_context";
    const isByReader = statedBy?.user?.name === standing.user;
    const isDue = statedBy !== null && isShown && !(isForeign && isByReader);
    if ((item.speaker !== null) !== isDue || line?.includes("said by") !== isDue)
      record(
        tally,
        isDue ? "denials" : "leaks",
        `${means} ${rule}: speaker ${item.speaker}, line ${line}, to ${described(standing)}`,
      );
    const isByOwner = isShown && statedBy !== null && statedBy.user !== null && statedBy.user === owner;
    const noter = home !== null ? "a group" : isShown ? `"${owner?.name}"` : "another user";
    const noted = isForeign && !isByOwner ? noter : undefined;
    if (/noted by (".*?"|a group|another user)/u.exec(line ?? "")?.[1] !== noted)
      record(tally, "leaks", `${means} ${rule}: line ${line} is not noted by ${noted}, to ${described(standing)}`);
  }
  if (lines.length !== items.length) throw new Error(`${means} has ${lines.length} lines for ${items.length} items.`);
}
