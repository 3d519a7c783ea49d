import type { z } from "zod";
import { AppError } from "#core/errors";
import { refuseSaidLater, toIso } from "#core/fields";
import { isRecord } from "#core/is-record";
import { refuseSecretNames } from "#core/safety/name-secrets";
import { EntityInput } from "#domain/entities";
import type { Kind } from "#domain/exports";
import { FactInput, refuseNoTopic, TopicInput, TopicKey } from "#domain/facts";
import { MemoryDraftInput, refuseUnstorable } from "#domain/memories";
import { PersonChange, PersonInput } from "#domain/people";
import { EpisodeInput, ProjectInput, SessionInput } from "#domain/sessions";
import { parsePath, SourceInput } from "#domain/sources";
import { UserInput } from "#domain/tenants";

type Row = Readonly<Record<string, unknown>>;
type Fields = Record<string, unknown>;

/** A row as the request of the API that would store the same, and names in it that are no field of that request. */
type Request = { input: z.ZodType; fields: Fields; names?: Fields };

/**
 * Why the API would refuse what a row of an export says: its own schemas and rules decide, so that an import stores nothing that no request
 * can. Null if it would take it.
 */
export function refusalOf(kind: Kind, row: Row, now: number): string | null {
  try {
    for (const { input, fields, names } of requestsOf(kind, row)) {
      const parsed = input.safeParse(fields);
      if (!parsed.success) return `The API would refuse it: ${namesOf(parsed.error)}.`;
      refuseSecretNames({ ...names, ...fields });
    }
    checkRules(kind, row, now);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

/** The fields that are wrong, and never what they hold. */
function namesOf(error: z.ZodError): string {
  const names = error.issues.map(({ path }) => path.filter((part) => typeof part === "string").join(".") || "it");
  return [...new Set(names)].slice(0, 5).join(", ");
}

/** What no schema says. */
function checkRules(kind: Kind, row: Row, now: number): void {
  if (kind === "memories") refuseUnstorable(memoryFields(row), now);
  if (kind === "memory_versions") refuseUnstorable(memoryFields(dataOf(row)), now);
  if (kind === "facts" || kind === "session_topics") refuseNoTopic(String(row.topic), "topic");
  if (kind === "files") parsePath(String(row.path));
  if (kind === "episodes") for (const { occurredAt } of messagesOf(row)) refuseSaidLater(occurredAt, { now, path: "occurredAt" });
}

function requestsOf(kind: Kind, row: Row): Request[] {
  switch (kind) {
    case "users":
      return [
        { input: UserInput, fields: only(row, ["name", "timeZone"]), names: idOf(row) },
        { input: UserInput, fields: { name: row.appName }, names: idOf(row) },
        ...ownPerson(row),
      ];
    case "projects":
      return [{ input: ProjectInput, fields: { name: row.name, ...flags(row, ["ownMemories"]) }, names: idOf(row) }];
    case "sessions":
      return [{ input: SessionInput, fields: sessionFields(row), names: idOf(row) }];
    case "episodes":
      return [{ input: EpisodeInput, fields: { messages: messagesOf(row) } }];
    case "persons":
      return [{ input: PersonInput, fields: personFields(row) }];
    case "memories":
      return [{ input: MemoryDraftInput, fields: memoryFields(row) }];
    case "memory_versions":
      return [{ input: MemoryDraftInput, fields: memoryFields(dataOf(row)) }];
    case "entities":
      return [{ input: EntityInput, fields: { projectId: "project", ...only(row, ["type", "name", "notes"]) } }];
    case "facts":
      return row.value === null ? [] : [{ input: FactInput, fields: factFields(row) }];
    case "topics":
      return [{ input: TopicInput.extend({ key: TopicKey }), fields: only(row, ["key", "nouns"]) }];
    case "sources":
      return [{ input: SourceInput, fields: { name: row.name }, names: idOf(row) }];
    default:
      return [];
  }
}

const idOf = ({ externalId }: Row): Fields => ({ id: externalId });

function only(row: Row, names: readonly string[]): Fields {
  return Object.fromEntries(names.flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]])));
}

/** Without fields that are null or empty, which stand for none in the database. */
function given(row: Row, names: readonly string[]): Fields {
  return Object.fromEntries(names.flatMap((name) => (row[name] == null || row[name] === "" ? [] : [[name, row[name]]])));
}

/** Columns of 0 and 1 as the API has them. */
function flags(row: Row, names: readonly string[]): Fields {
  const flagOf = (value: unknown) => (value === 0 || value === 1 ? value === 1 : value);
  return Object.fromEntries(names.flatMap((name) => (row[name] === undefined ? [] : [[name, flagOf(row[name])]])));
}

/** A user's own person has the user's name or id until somebody changes it, whatever that consists of. */
function ownPerson({ externalId, name, person }: Row): Request[] {
  if (!isRecord(person)) return [];
  const { name: own, ...rest } = personFields(person);
  return [{ input: PersonChange, fields: own === externalId || own === name ? rest : { name: own, ...rest } }];
}

const personFields = (person: Row): Fields => given(person, ["name", "aliases", "relationship", "notes"]);

function sessionFields({ kind, title, participants }: Row): Fields {
  const current = Array.isArray(participants) ? participants.filter(isRecord).filter(({ leftAt }) => leftAt === null) : [];
  const named = kind === "group" && current.length > 0 ? { participants: current.map(({ userId }) => String(userId)) } : {};
  return { kind, title, ...named };
}

/** What stands for a secret may be longer than the secret was. */
const REDACTED = /\[redacted:[a-z_]{1,40}\]/g;

function messagesOf({ messages }: Row): (Fields & { occurredAt: string })[] {
  if (!Array.isArray(messages)) return [];
  return messages.filter(isRecord).map((message) => ({
    ...given(message, ["role", "speaker", "messageId"]),
    // A message of pictures alone is stored without a text.
    content: message.text === "" ? [{ type: "image_url" }] : String(message.text).replace(REDACTED, "-"),
    occurredAt: toIso(Number(message.occurredAt)),
  }));
}

/** The fields of a memory that its writer names. Whose it is and what it refers to is checked as the import maps ids. */
function memoryFields(row: Row): Fields & Pick<MemoryDraftInput, "content"> {
  return {
    content: String(row.content),
    ...given(row, ["type", "key", "workspaceId", "scopeType", "scopeId", "confidence", "sensitivity", "metadata"]),
    ...flags(row, ["portable", "pinned"]),
    ...(Array.isArray(row.subjects) ? { subjects: row.subjects.map(String) } : {}),
  };
}

function dataOf({ data }: Row): Row {
  return isRecord(data) ? data : {};
}

function factFields(row: Row): Fields {
  return { ...given(row, ["topic", "kind", "value", "sourceMessageId"]), ...(row.rank === 0 ? {} : { rank: row.rank }) };
}
