import type { Caller } from "#context";
import { AppError } from "#core/errors";
import { isRecord } from "#core/is-record";
import { mayRead } from "#core/permission";
import { boundUserOf } from "#domain/tenants";

/** Why the caller may not refer to what the model server keeps: it keeps the conversations of all users of the tenant under one account. */
export function whyNoReferences(caller: Caller): string | null {
  if (boundUserOf(caller) !== null) return "is bound to one user";
  return mayRead(caller.actor) ? null : 'lacks the permission "read"';
}

/**
 * A model repeats what it is referred to, so a reference is like reading it.
 * @throws forbidden for a reference by a caller who is bound to one user, or may not read.
 */
export function refuseReferences(caller: Caller, body: Record<string, unknown>): void {
  const reason = whyNoReferences(caller);
  if (reason === null) return;
  const found = findReference(body);
  if (found === null) return;
  const message = `${found.problem}, and this ${caller.actor.kind} ${reason}. ${found.remedy} Or use a server key.`;
  throw new AppError("forbidden", message, { fields: [{ path: found.path, message }] });
}

type Found = { path: string; problem: string; remedy: string };

/** The first reference in a body, or the first thing that may hide one. */
function findReference(body: Record<string, unknown>): Found | null {
  return findItem("input", body.input) ?? findItem("messages", body.messages) ?? findIn(body, "", 0);
}

function findItem(name: "input" | "messages", list: unknown): Found | null {
  const items: unknown[] = Array.isArray(list) ? list : [];
  const at = items.findIndex((each) => !isWhole(each) && !(name === "messages" && isCalling(each)));
  return at === -1 ? null : refersTo(`${name}[${at}]`);
}

/** A message of a chat that calls tools needs no content. */
function isCalling(message: unknown): boolean {
  if (!isRecord(message) || message.type != null) return false;
  return Array.isArray(message.tool_calls) && message.tool_calls.length > 0;
}

/** What each type of item consists of. An item with an id and without this is a reference, and so may be every other type. */
const SUBSTANCE = new Map<unknown, string>([
  ["message", "content"],
  ["reasoning", "encrypted_content"],
  ["compaction", "encrypted_content"],
  ["function_call", "name"],
  ["function_call_output", "output"],
  ["custom_tool_call", "name"],
  ["custom_tool_call_output", "output"],
  ["tool_search_call", "arguments"],
  ["tool_search_output", "tools"],
  ["web_search_call", "action"],
  ["image_generation_call", "result"],
  ["computer_call", "action"],
  ["computer_call_output", "output"],
  ["local_shell_call", "action"],
  ["local_shell_call_output", "output"],
  ["shell_call", "action"],
  ["shell_call_output", "output"],
  ["apply_patch_call", "operation"],
  ["apply_patch_call_output", "status"],
  ["mcp_list_tools", "tools"],
  ["mcp_call", "name"],
  ["mcp_approval_request", "name"],
  ["mcp_approval_response", "approve"],
]);

function isWhole(item: unknown): boolean {
  if (!isRecord(item)) return false;
  const substance = SUBSTANCE.get(item.type ?? (item.role === undefined ? undefined : "message"));
  if (substance === undefined) return false;
  const value = item[substance];
  const isEmpty = value == null || value === "" || (Array.isArray(value) && value.length === 0);
  return item.id == null || !isEmpty;
}

/** Objects whose names are the client's own, not the API's. */
const OWN_NAMES = [
  "metadata",
  "client_metadata",
  "parameters",
  "schema",
  "input_schema",
  "arguments",
  "headers",
  "env",
  // Schemas of vLLM, llama.cpp and Ollama.
  "guided_json",
  "structured_outputs",
  "json_schema",
  "format",
];

/** Every name of the API is of this form, and short enough to be repeated in an error. Some JSON readers take others for it: `Input` or `fileId`, or a long s in place of s. */
const API_NAME = /^[a-z0-9_]{1,64}$/;

const KEPT = /^(?:conversation|prompt|cached_content|.*_ids?)$/;

/** Ids of what is in the request itself, and of OpenAI's connectors, which need a token in the request. */
const NO_REFERENCE = ["call_id", "tool_call_id", "approval_request_id", "connector_id"];

/** More than any request needs; a limit for the recursion. */
const MAX_DEPTH = 40;

function findIn(value: unknown, path: string, depth: number): Found | null {
  if (!isRecord(value)) return null;
  if (depth > MAX_DEPTH)
    return { path: path.slice(0, 100), problem: "The request is nested too deeply to be checked", remedy: "Make it flatter." };
  for (const [name, member] of Object.entries(value)) {
    const at = Array.isArray(value) ? `${path}[${name}]` : `${path === "" ? "" : `${path}.`}${name}`;
    const found = (Array.isArray(value) ? null : findInMember(name, member, at)) ?? findBelow(name, member, at, depth);
    if (found !== null) return found;
  }
  return null;
}

function findBelow(name: string, member: unknown, path: string, depth: number): Found | null {
  return OWN_NAMES.includes(name) ? null : findIn(member, path, depth + 1);
}

function findInMember(name: string, member: unknown, path: string): Found | null {
  // The user's name in the rest of this API refers to nothing that a model server keeps.
  if (name !== "userId" && !API_NAME.test(name)) {
    const place = path.slice(0, path.length - name.length).replace(/\.$/, "");
    const problem = `${place === "" ? "The request" : `\`${place}\``} has a field that is not in lower case with underscores, which the model server may take for another`;
    return { path: place, problem, remedy: "Leave it out, or write it as the API does." };
  }
  // The container of a tool is either named or described.
  const isKept = KEPT.test(name) || (name === "container" && !isRecord(member));
  if (isKept && member != null && !NO_REFERENCE.includes(name)) return refersTo(path);
  return findId(name, member, path);
}

/**
 * An object under a name of its own is kept if it has an id, such as the `audio` of an earlier reply, and so is a content part without a
 * text. What else is in lists has ids within the request: calls of tools, for example.
 */
function findId(name: string, member: unknown, path: string): Found | null {
  if (!isRecord(member) || OWN_NAMES.includes(name)) return null;
  if (!Array.isArray(member)) return member.id == null ? null : refersTo(`${path}.id`);
  const part = name === "content" ? member.findIndex((each) => isRecord(each) && each.id != null && !each.text) : -1;
  return part === -1 ? null : refersTo(`${path}[${part}].id`);
}

function refersTo(path: string): Found {
  return {
    path,
    problem: `\`${path}\` refers to what the model server keeps, of any user`,
    remedy: "Send the whole conversation in the request, with the content of files.",
  };
}
