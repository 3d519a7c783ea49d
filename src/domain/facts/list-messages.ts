import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { toNormalizedText } from "#core/language/folded";
import { type Query, type Statement, statement } from "#db/client";
import { integer, row, text } from "#db/row";
import { rowsInParts } from "#db/rows";
import { seesEpisodesOf, type ViewerRef, viewerCte } from "#domain/visibility";
import { asks } from "./asks.ts";
import { plainLine, readStatement } from "./list-statement.ts";
import { readLists } from "./read-lists.ts";
import type { ListTurn } from "./replay-lists.ts";
import { sentencesWithMarks } from "./split-items.ts";
import { talkIn, wordsIn } from "./talk-words.ts";
import { createTopicIndex } from "./topics.ts";

/** A message that states a list, or may change one that its speaker stated in the same chat. */
export type ListMessage = {
  /** Internal id of the speaker, or `ACTING_USER`. */
  userId: number;
  at: number;
  /** Chunks of the call before its episode, and its place in the episode. */
  offset: number;
  ordinal: number;
  /** It states a list; it may change one of its chat; or one of any chat, which it names. */
  kind: "states" | "follows" | "names";
};

/** A longer message changes no list; a list itself may be longer. */
const MAX_CHANGE_UNITS = 700;
/** Most messages that a question reads, and most UTF-16 units of them. What was said of lists before them is not known. */
const MAX_TURNS = 200;
const MAX_READ_UNITS = 16_000;

const NO_TOPICS = createTopicIndex([]);

type Spoken = Omit<ListMessage, "kind"> & { text: string };

/** The messages of an append that state lists or may change them; what follows a list in the same append may change it. */
export function listMessagesIn(messages: readonly Spoken[], { hasLists }: { hasLists: boolean }): ListMessage[] {
  const stating = new Set<number>();
  return messages
    .toSorted((a, b) => a.at - b.at)
    .flatMap(({ text: said, ...message }): ListMessage[] => {
      if (readStatement(said).length > 0 || readLists(said, NO_TOPICS).length > 0) stating.add(message.userId);
      if (stating.has(message.userId)) return [{ ...message, kind: "states" }];
      if (!mayChangeLists(said)) return [];
      if (hasLists) return [{ ...message, kind: "follows" }];
      return namesList(said) ? [{ ...message, kind: "names" }] : [];
    });
}

function namesList(said: string): boolean {
  const normalized = toNormalizedText(plainLine(said));
  return talkIn(normalized).has("listNamed", normalized);
}

/** Whether a message says something beside questions, which change nothing, and words that every message may have. */
function mayChangeLists(said: string): boolean {
  if (said.length > MAX_CHANGE_UNITS) return false;
  const plain = plainLine(said);
  const talk = talkIn(toNormalizedText(plain));
  return sentencesWithMarks(plain).some(
    (sentence) => !asks(sentence, talk) && wordsIn(toNormalizedText(sentence), talk).length > 0,
  );
}

/** Stores what `listMessagesIn` found; a message that names a list of another chat, if its speaker has a list. */
export function storeListMessages(
  ctx: Ctx<"db">,
  messages: readonly ListMessage[],
  { first, who }: { first: SQL /** `with who (said_by, user_id)`. */; who: SQL },
): Statement[] {
  const rows = messages.map(({ userId, at, offset, ordinal, kind }) => [userId, at, offset, ordinal, kind]);
  return rowsInParts(rows).map((part) =>
    ctx.db.run(sql`
      ${who}
      insert into list_messages (session_id, user_id, said_at, episode_id, ordinal, tenant_id)
      select first.session_id, w.user_id, j.c1, first.id + j.c2, j.c3, ${ctx.tenantId}
      from ${first} cross join ${part} j cross join who w on w.said_by = j.c0
      where j.c4 <> 'names' or exists (select 1 from list_messages l where l.user_id = w.user_id)
      on conflict do nothing`),
  );
}

const TURN = row({
  text: text(sql`json_extract(e.messages, '$[' || l.ordinal || '].text')`),
  session: integer(sql`l.session_id`),
  at: integer(sql`l.said_at`),
  here: integer(sql`coalesce(l.session_id = v.session_id, 0)`),
});

export type StoredTurn = ListTurn & { here: number };

/** The messages of `findListTurns` that are read, and the time until which there may be earlier ones; null if there are none. */
export type TurnsRead = { turns: readonly StoredTurn[]; unreadUntil: number | null };

/** As many of the latest messages as a question may read, so that its work is bounded. */
export function turnsRead(latest: readonly StoredTurn[]): TurnsRead {
  let units = 0;
  const end = latest.findIndex(({ text: said }) => {
    units += said.length;
    return units > MAX_READ_UNITS;
  });
  const turns = end < 0 ? latest : latest.slice(0, end);
  const isAll = end < 0 && latest.length < MAX_TURNS;
  return { turns, unreadUntil: isAll ? null : (latest[turns.length]?.at ?? latest.at(-1)?.at ?? null) };
}

/** The viewer's own latest messages about lists in the sessions whose episodes they see, the latest first. */
export function findListTurns(ctx: Ctx, viewer: ViewerRef): Query<StoredTurn> {
  const latest = (where: SQL) => sql`
    select * from (
      select ${TURN.columns}, l.said_at as said, l.episode_id as episode, l.ordinal as place
      from viewer v cross join list_messages l on l.user_id = v.user_id and ${where}
      cross join sessions s on s.id = l.session_id cross join episodes e on e.id = l.episode_id
      where +l.tenant_id = ${ctx.tenantId} and ${seesEpisodesOf(ctx.tenantId, sql`s`)}
        and json_extract(e.messages, '$[' || l.ordinal || '].text') is not null
      order by l.said_at desc, l.episode_id desc, l.ordinal desc limit ${sql.raw(String(MAX_TURNS))})`;
  // Who sees one session only reads its rows by their key, not all rows of the user.
  return statement(
    TURN,
    sql`
    with ${viewerCte(viewer)}
    ${latest(sql`v.pool = 'session' and l.session_id = v.session_id`)}
    union all
    ${latest(sql`v.pool <> 'session'`)}
    order by said desc, episode desc, place desc`,
  );
}
