import { Option } from "@commander-js/extra-typings";
import { type Base, examples } from "#cli/base";
import { connect } from "#cli/connection";
import type { Host } from "#cli/host";
import { readContent } from "./content.ts";
import { MEMORY_TYPES, timeAhead } from "./options.ts";

export function addAddCommand(program: Base, host: Host): void {
  program
    .command("add")
    .summary("store a memory")
    .description("Stores one statement that is worth knowing later. With --session of a group, it belongs to the group.")
    .argument("<content>", "the statement; - reads it from standard input")
    .addOption(new Option("--type <type>", "what kind of statement it is").choices(MEMORY_TYPES))
    .option("--slot <name>", "the memory's key: a newer memory with the same one replaces it, such as city")
    .addOption(new Option("--sensitivity <level>", "who may be shown it").choices(["public", "personal", "sensitive"] as const))
    .option("--pin", "always in the user's profile")
    .option("--expires <time>", "when it ends, as in 30d or 2026-12-31", timeAhead)
    .addHelpText(
      "after",
      examples(
        'edgewise add "I prefer window seats" --user alice --type preference',
        'edgewise add "I live in Lisbon" --user alice --slot city',
        "cat note.txt | edgewise add - --user alice",
      ),
    )
    .action(async (argument, { type, slot, sensitivity, pin, expires }) => {
      const { edgewise, place, output } = await connect(host, program.opts(), ["user", "session"]);
      const memory = await edgewise.memories.add({
        content: await readContent(host, argument),
        ...place,
        ...(type === undefined ? {} : { type }),
        ...(slot === undefined ? {} : { key: slot }),
        ...(sensitivity === undefined ? {} : { sensitivity }),
        ...(pin === true ? { pinned: true } : {}),
        ...(expires === undefined ? {} : { expiresAt: expires }),
      });
      const { dim } = output.colours;
      const state = memory.status === "pending" ? "Waits for review" : memory.created ? "Stored" : "Known already";
      output.show(memory, () => [`${state}: ${memory.id}${memory.type === undefined ? "" : dim(`  ${memory.type}`)}`]);
    });
}
