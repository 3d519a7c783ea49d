import type { Output } from "@edgewise/client";
import { printable } from "#cli/terminal/printable";
import type { Refused } from "./parts.ts";
import type { Break } from "./send-export.ts";

type Finished = Output<"imports.get">;
type Reported = { finished: Finished; refused: readonly Refused[]; broken: readonly Break[]; notes: readonly string[] };

const SHOWN_PROBLEMS = 50;

/** The lines of an import's report: counts, then what was left out, by its title. */
export function reportLines({ finished, refused, broken, notes }: Reported): string[] {
  const { statistics: counts, dryRun, platform } = finished;
  const verb = dryRun ? "Would store" : "Stored";
  const problems = [...finished.problems, ...refused];
  const listed = problems.slice(0, SHOWN_PROBLEMS).map(({ title, reason }) => printable(`  ${title}: ${reason}`));
  return [
    `${verb} ${plural(counts.stored, "new conversation")} with ${plural(counts.messages, "message")}; ${counts.grown} grew, ${counts.known} known already.`,
    ...elsewhere(finished),
    ...leftOut([
      [counts.tool, "of tools"],
      [counts.thinking, "of thinking"],
      [counts.hidden, "hidden or of the system"],
      [counts.branches, "on abandoned branches"],
      [counts.blank, "without text"],
      [counts.parts, "images, audio and other parts"],
    ]),
    ...(counts.activitiesLeftOut > 0
      ? [`${plural(counts.activitiesLeftOut, "activity", "activities")} that are no prompts were left out.`]
      : []),
    ...(counts.documents > 0 ? [`Stored ${plural(counts.documents, "document")} of projects.`] : []),
    ...(counts.projectsLeftOut > 0 ? [`Left out: documents of ${plural(counts.projectsLeftOut, "project")}.`] : []),
    ...(platform === "gemini" ? ["Google keeps no borders of conversations: a silence of 30 minutes begins a new one."] : []),
    ...notes,
    ...broken.map(({ entry, position }) => `${entry} is broken at byte ${position}. What came before it was imported.`),
    ...(problems.length > 0 ? [`${plural(problems.length, "note")} on conversations:`, ...listed] : []),
    ...(problems.length > listed.length ? [`  … and ${problems.length - listed.length} more`] : []),
  ];
}

function elsewhere({ statistics, projectId, dryRun }: Finished): string[] {
  const { elsewhere: count } = statistics;
  if (count === 0) return [];
  const stays = dryRun ? "would stay" : count === 1 ? "stays" : "stay";
  return [
    printable(
      `${plural(count, "known conversation")} outside of the project ${projectId} ${stays} there: an import moves nothing.`,
    ),
  ];
}

function leftOut(counts: readonly (readonly [number, string])[]): string[] {
  const named = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return named.length === 0 ? [] : [`Left out messages: ${named.join(", ")}.`];
}

function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
