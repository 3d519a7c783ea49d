import { redactName, secretInName } from "#core/safety/name-secrets";
import { SourceInput } from "#domain/sources";
import { listOf, recordOf, textOf } from "./values.ts";

/** A project of Claude with its documents, each under a path of its own. */
export type ClaudeProject = { id: string | null; name: string | null; files: { path: string; content: string }[] };

export function parseProject(raw: unknown): ClaudeProject {
  const project = recordOf(raw);
  const times = new Map<string, number>();
  const files = listOf(project.docs).flatMap((each) => {
    const { filename, content } = recordOf(each);
    const text = textOf(content);
    if (text === null) return [];
    const path = pathOf(textOf(filename) ?? "document.txt");
    const before = times.get(path) ?? 0;
    times.set(path, before + 1);
    return [{ path: before === 0 ? path : `${before + 1}-${path}`, content: text }];
  });
  const [id, name] = [textOf(project.uuid), textOf(project.name)];
  return { id: id === null || secretInName(id) !== null ? null : id, name: name === null ? null : sourceName(name), files };
}

const PATH_CHARACTERS = 200;
const NAME_CHARACTERS = 200;

/** The name as a source may have it; null for one without a letter or a digit. */
function sourceName(name: string): string | null {
  const short = redactName(name).toWellFormed().slice(0, NAME_CHARACTERS).toWellFormed().trim();
  return SourceInput.safeParse({ name: short }).success ? short : null;
}

/** A file name without the characters that would make it a path elsewhere. */
function pathOf(name: string): string {
  const flat = redactName(name)
    .toWellFormed()
    .replace(/[/\\\p{Cc}]+/gu, "-")
    .replace(/^\.+/, "")
    .trim();
  return flat === "" ? "document.txt" : flat.slice(-PATH_CHARACTERS);
}
