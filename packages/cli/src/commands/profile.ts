import type { Output as Answer } from "@edgewise/client";
import { type Base, examples } from "#cli/base";
import { connect } from "#cli/connection";
import type { Host } from "#cli/host";
import { day } from "#cli/terminal/dates";
import { type Output, paragraph } from "#cli/terminal/output";
import { ownUserId } from "./own-user.ts";

type Profile = Answer<"users.profile">;
type Section = Profile["entries"][number]["section"];

const TITLES = {
  wishes: "How to answer",
  identity: "Who they are",
  preferences: "Preferences",
  people: "People",
  current: "Now",
} satisfies Record<Section, string>;

export function addProfileCommand(program: Base, host: Host): void {
  program
    .command("profile")
    .summary("what is always worth knowing of a user")
    .description("Prints the user's profile: its entries with their date, and what was replaced.")
    .option("--prose", "wait for the text that the chat model writes of it, if the service has one")
    .addHelpText("after", examples("edgewise profile --user alice", "edgewise profile --user alice --json"))
    .action(async ({ prose }) => {
      const { edgewise, place, output } = await connect(host, program.opts(), ["user", "session", "project"]);
      const { userId = await ownUserId(edgewise), ...where } = place;
      const profile = await edgewise.users.profile({ userId, ...where, ...(prose === true ? { prose: true } : {}) });
      if (profile.entries.length === 0) output.note("Nothing is known of this user yet.");
      output.show(profile, () => profileLines(profile, output));
    });
}

function profileLines({ entries, prose }: Profile, output: Output): string[] {
  const { bold, dim } = output.colours;
  const lines = prose === null ? [] : [...paragraph(prose, output), ""];
  for (const [section, title] of Object.entries(TITLES)) {
    const own = entries.filter((entry) => entry.section === section);
    if (own.length === 0) continue;
    if (lines.length > 0 && lines.at(-1) !== "") lines.push("");
    lines.push(bold(title));
    for (const { content, since, replaced } of own) {
      lines.push(...paragraph(content, output, "  "), `  ${dim(`since ${day(since)}`)}`);
      lines.push(
        ...replaced.flatMap((before) => paragraph(`until ${day(before.to)}: ${before.content}`, output, "    ").map(dim)),
      );
    }
  }
  return lines;
}
