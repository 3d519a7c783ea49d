import { exportedColumns, type Kind, TABLES } from "#domain/exports";
import type { Line } from "./parse-line.ts";
import { type Ids, JSON_COLUMNS, mapPassage } from "./values.ts";

/** A row with the ids of this service, except its own `id`; or why it cannot be stored. */
export type Mapped = { is: "row"; row: Record<string, unknown> } | { is: "missing"; what: Kind };

/** Replaces the ids of an export in a row. It is also called to find out which ids a row names. */
export function mapRow({ kind, row }: Line, ids: Ids): Mapped {
  const { references, later } = TABLES[kind];
  const mapped: Record<string, unknown> = { ...row };
  for (const { name, isJson } of exportedColumns(kind)) {
    const value = row[name];
    if (isJson && value !== null) mapped[name] = JSON_COLUMNS.get(`${kind}.${name}`)?.map(value, ids);
    // Set when all rows are there; until then it refers to a row that is gone.
    if (name in later) mapped[name] = value === null ? null : 0;
    const reference = references[name];
    if (reference === undefined || typeof value !== "number" || (reference.zeroIsNone === true && value === 0)) continue;
    const id = ids(reference.to, value);
    if (id === null && reference.ifMissing === "skip") return { is: "missing", what: reference.to };
    mapped[name] = id;
  }
  return mapWithin(kind, { row, mapped, ids });
}

function mapWithin(kind: Kind, { row, mapped, ids }: { row: Line["row"]; mapped: Line["row"]; ids: Ids }): Mapped {
  switch (kind) {
    case "episodes":
      return { is: "row", row: { ...mapped, newId: mapPassage(Number(row.id), ids) } };
    case "projects":
      return { is: "row", row: { ...mapped, members: withUsers(row.members, ids) } };
    case "sessions":
      return { is: "row", row: { ...mapped, participants: withUsers(row.participants, ids) } };
    case "memories": {
      const subjects = numbersIn(row.subjects).map((id) => ids("persons", id));
      // A memory about somebody that is about nobody would be seen by others than it was.
      if (subjects.includes(null)) return { is: "missing", what: "persons" };
      return { is: "row", row: { ...mapped, subjects } };
    }
    case "forgettings":
      return { is: "row", row: { ...mapped, askedBy: mapAskedBy(String(row.askedBy), ids) } };
    default:
      return { is: "row", row: mapped };
  }
}

/** Members and participants who are not in the export are left out. */
function withUsers(list: unknown, ids: Ids): unknown[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((one: { userId: number }) => {
    const userId = ids("users", one.userId);
    return userId === null ? [] : [{ ...one, userId }];
  });
}

function numbersIn(list: unknown): number[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === "number") : [];
}

/** `episode:message`, or the public id of a memory. */
function mapAskedBy(askedBy: string, ids: Ids): string {
  const [episode, message, ...more] = askedBy.split(":");
  if (message === undefined || more.length > 0 || !/^\d{1,16}$/.test(episode ?? "")) return askedBy;
  const mapped = ids("episodes", Number(episode));
  return mapped === null ? `gone:${askedBy}` : `${mapped}:${message}`;
}
