import { usageError } from "#cli/exit-code";

type Named = {
  user?: string | undefined;
  session?: string | undefined;
  project?: string | undefined;
  source?: string | undefined;
};

export type Subject = { kind: "user" | "session" | "project" | "source"; id: string; userId?: string };

/**
 * What the flags name to be erased. Only flags count, not the environment: EDGEWISE_USER must not be erased because a flag was forgotten.
 * @throws CliError unless they name one thing.
 */
export function eraseSubject({ user, session, project, source }: Named): Subject {
  const things = Object.entries({ session, project, source }).flatMap(([kind, id]) => (id === undefined ? [] : [{ kind, id }]));
  const [thing, another] = things;
  if (another !== undefined) throw usageError("Name one thing to erase: --session, --project or --source.");
  if (thing !== undefined) return { kind: kindOf(thing.kind), id: thing.id, ...(user === undefined ? {} : { userId: user }) };
  if (user === undefined) throw usageError("Say what to erase: --user, --session, --project or --source.");
  return { kind: "user", id: user };
}

function kindOf(name: string): Subject["kind"] {
  return name === "session" || name === "project" ? name : "source";
}
