import { Option } from "@commander-js/extra-typings";
import type { Output as Answer } from "@edgewise/client";
import { type Base, examples } from "#cli/base";
import { connect } from "#cli/connection";
import type { Host } from "#cli/host";
import { day } from "#cli/terminal/dates";
import { type Output, paragraph } from "#cli/terminal/output";
import { printableLine } from "#cli/terminal/printable";
import { among, integer, MEMORY_TYPES, timeOrAge } from "./options.ts";

type Hit = Answer<"search.query">["hits"][number];

export function addSearchCommand(program: Base, host: Host): void {
  program
    .command("search")
    .summary("find memories, messages and documents")
    .description("Finds what the user may see, best first.")
    .argument("<query>", "what to look for")
    .option("--limit <n>", "how many hits at most", integer(1, 100))
    .addOption(new Option("--kind <kind>", "only these").choices(["memory", "episode", "chunk"] as const))
    .option("--type <types>", "only memories of these types, separated by commas", among(MEMORY_TYPES))
    .addOption(
      new Option("--strategy <name>", "how to search").choices(["hybrid", "text", "semantic", "recent", "exact"] as const),
    )
    .option("--from <time>", "said at or after, as in 30d or 2026-11-22", timeOrAge)
    .option("--to <time>", "said before", timeOrAge)
    .addHelpText(
      "after",
      examples(
        'edgewise search "which seat?" --user alice',
        'edgewise search "the launch" --user alice --project apollo --from 7d',
        'edgewise search "cat" --user alice --json | jq -r ".hits[].content"',
      ),
    )
    .action(async (query, { limit, kind, type, strategy, from, to }) => {
      const { edgewise, place, output } = await connect(host, program.opts(), ["user", "session", "project"]);
      const found = await edgewise.search({
        query,
        ...place,
        ...(limit === undefined ? {} : { limit }),
        ...(kind === undefined ? {} : { kinds: [kind] }),
        ...(type === undefined ? {} : { types: type }),
        ...(strategy === undefined ? {} : { strategy }),
        ...(from === undefined ? {} : { from }),
        ...(to === undefined ? {} : { to }),
      });
      for (const { channel, reason } of found.degraded) output.note(`Left out: the ${channel} search (${reason}).`);
      if (found.hits.length === 0) output.note("Nothing was found.");
      output.show(found, () => found.hits.flatMap((hit, i) => [...(i === 0 ? [] : [""]), ...hitLines(hit, output)]));
    });
}

function hitLines(hit: Hit, output: Output): string[] {
  const { bold, dim } = output.colours;
  const { message } = hit;
  const isLabel = message?.userId === null && message.speaker !== null;
  const speaker = isLabel ? `labelled "${message.speaker}"` : (message?.speaker ?? message?.role);
  const { document } = hit;
  const place =
    document === null ? [] : [document.path, document.headings.at(-1), document.page === null ? null : `page ${document.page}`];
  const about = [hit.memory?.type ?? hit.kind, day(hit.occurredAt), ...place, hit.sessionId, speaker, hit.id];
  const shown = about.filter((part) => part !== null && part !== undefined).map(printableLine);
  return [`${bold(hit.citation)} ${dim(shown.join(" · "))}`, ...paragraph(hit.content, output, "  ")];
}
