import { Option } from "@commander-js/extra-typings";
import type { Output as Answer, Edgewise, Input } from "@edgewise/client";
import { type Base, examples } from "#cli/base";
import { connect } from "#cli/connection";
import type { Host } from "#cli/host";
import { memoryLines } from "./memory-lines.ts";
import { among, integer, MEMORY_TYPES } from "./options.ts";

type Page = Answer<"memories.list">;

export function addListCommand(program: Base, host: Host): void {
  program
    .command("list")
    .summary("list memories")
    .description("The memories that the user may see, newest first.")
    .option("--type <types>", "only these types, separated by commas", among(MEMORY_TYPES))
    .option("--limit <n>", "how many at most", integer(1, 100))
    .addOption(new Option("--all", "all of them, however many").conflicts("limit"))
    .addHelpText(
      "after",
      examples(
        "edgewise list --user alice",
        "edgewise list --type task,event --user alice --session chat-1",
        'edgewise list --all --user alice --json | jq -r ".items[].content"',
      ),
    )
    .action(async ({ type, limit, all }) => {
      const { edgewise, place, output } = await connect(host, program.opts(), ["user", "session", "project"]);
      const query = {
        ...place,
        stats: false,
        ...(type === undefined ? {} : { type: type.join(",") }),
        ...(limit === undefined ? {} : { limit }),
      };
      const page = all === true ? await listAll(edgewise, query) : await edgewise.memories.list(query);
      if (page.items.length === 0) output.note("There are no such memories.");
      output.show(page, () => page.items.flatMap((memory) => memoryLines(memory, output)));
      if (page.nextCursor !== null) output.note("There are more: --all lists them.");
    });
}

/** All pages as one, in the form of a page. */
async function listAll(edgewise: Edgewise, query: Input<"memories.list">): Promise<Page> {
  const items: Page["items"] = [];
  for await (const memory of edgewise.memories.list({ ...query, limit: 100 })) items.push(memory);
  return { items, nextCursor: null };
}
