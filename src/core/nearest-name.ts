/**
 * Names of a field in other APIs, in lower case without separators, by the field's name here. Only fields of the schema in question are
 * suggested, so a name may be listed under several.
 */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  id: ["memoryid", "docid", "documentid", "uuid"],
  userId: ["user", "uid", "username", "enduserid", "externaluserid", "ownerid", "actorid"],
  sessionId: ["session", "conversation", "conversationid", "chat", "chatid", "thread", "threadid", "runid", "channelid"],
  projectId: ["project", "spaceid", "folderid", "containertag"],
  content: ["text", "body", "message", "memory", "data", "value", "fact", "statement"],
  text: ["content", "q", "query", "search"],
  messages: ["message", "turns", "history", "conversation", "content", "text"],
  query: ["q", "question", "search", "searchquery", "prompt", "input", "text", "content", "term"],
  question: ["q", "query", "prompt", "input", "text", "content"],
  limit: [
    "pagesize",
    "perpage",
    "topk",
    "topn",
    "k",
    "n",
    "count",
    "size",
    "max",
    "maxresults",
    "maxitems",
    "numresults",
    "first",
    "take",
  ],
  cursor: ["page", "offset", "after", "next", "nextcursor", "pagetoken", "nextpagetoken", "startingafter", "skip"],
  maxTokens: ["tokens", "tokenbudget", "budget", "tokenlimit"],
  role: ["sender", "author", "from", "type"],
  speaker: ["name", "author", "sendername", "displayname"],
  messageId: ["id", "uuid", "externalid"],
  occurredAt: ["timestamp", "time", "date", "at", "ts", "createdat", "created", "sentat", "datetime", "saidat"],
  createdAt: ["timestamp", "time", "date", "at", "ts", "created", "occurredat", "saidat"],
  expiresAt: ["expiry", "expires", "expiration", "expirationdate", "ttl", "validuntil"],
  from: ["since", "start", "startdate", "startat", "after", "begin", "fromdate"],
  to: ["until", "end", "enddate", "endat", "before", "todate"],
  asOf: ["at", "date", "pointintime"],
  name: ["displayname", "title", "label"],
  title: ["name", "label", "subject"],
  notes: ["note", "description", "summary", "comment"],
  participants: ["members", "users", "userids", "memberids", "participantids"],
  kinds: ["kind", "types", "type", "sources"],
  kind: ["type"],
  types: ["type", "categories", "category", "kinds", "kind"],
  type: ["kind", "category"],
  strategy: ["mode", "searchtype", "searchmode", "method"],
  metadata: ["meta", "attributes", "properties", "extra", "custom"],
  permissions: ["permission", "scopes", "scope", "roles"],
  upstream: ["provider", "modelserver", "baseurl"],
  url: ["baseurl", "endpoint", "uri", "href"],
  apiKey: ["key", "token", "secret"],
};

/** The largest edit distance of a misspelling. */
function maxDistance(length: number): number {
  return length <= 4 ? 1 : length <= 8 ? 2 : 3;
}

/** Shorter parts of a name are not compared. */
const MIN_PART = 4;

/** The name that is most probably meant: written differently, a synonym, misspelt, or with one more word. Null for none. */
export function nearestName(wrong: string, names: readonly string[]): string | null {
  const given = plain(wrong);
  const same = names.find((name) => plain(name) === given);
  if (same !== undefined) return same;
  const called = names.find((name) => OTHER_NAMES[name]?.includes(given));
  if (called !== undefined) return called;
  const near = names
    .map((name) => ({ name, distance: distanceOf(given, plain(name)) }))
    .filter(({ name, distance }) => distance <= maxDistance(Math.min(given.length, plain(name).length)))
    .toSorted((a, b) => a.distance - b.distance)[0];
  if (near !== undefined) return near.name;
  const isPart = (part: string) => part.length >= MIN_PART && (given.startsWith(part) || given.endsWith(part));
  return names.find((name) => isPart(plain(name))) ?? null;
}

/** Whether two names differ only in case and separators. */
export function isSameName(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

function plain(name: string): string {
  return name.replace(/[^a-z0-9]/gi, "").toLowerCase();
}

/** The number of letters inserted, deleted, changed, or swapped with their neighbour (optimal string alignment). */
function distanceOf(a: string, b: string): number {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const [up = 0, left = 0, across = 0] = [last[j], row[j - 1], last[j - 1]];
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(up + 1, left + 1, across + (a[i - 1] === b[j - 1] ? 0 : 1), swapped));
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
