import { sensitivityOf } from "#core/safety/sensitivity";
import { isOfTheMoment } from "#core/text/of-the-moment";
import type { Sensitivity } from "#domain/visibility";

export type Privacy = { sensitivity: Sensitivity; portable: boolean };

/**
 * Where a memory lives and was learned. `amongOthers`: in a group session in which somebody else took part at that moment. A private
 * session, a group session of one and no session at all are private.
 */
export type Learned = { ownership: "personal" | "group" | "shared"; amongOthers: boolean };

/**
 * Who may see a memory whose writer says nothing of it. Learned in private: its owner only, and nowhere else. Learned in a group:
 * everybody who may see its subject, unless its words are sensitive or only about the moment. What is shared is public.
 */
export function defaultPrivacy(
  words: { content: string; type: string; beside?: readonly string[] },
  { ownership, amongOthers }: Learned,
): Privacy {
  if (ownership === "shared") return { sensitivity: null, portable: true };
  const sensitivity = sensitivityOf([words.content, ...(words.beside ?? [])].join("\n"));
  if (amongOthers) return { sensitivity, portable: !isOfTheMoment(words) };
  // A group's memory is for its group, wherever it was learned.
  return { sensitivity: ownership === "group" ? sensitivity : (sensitivity ?? "personal"), portable: false };
}
