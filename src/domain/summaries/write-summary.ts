import { localTime } from "#core/local-time";
import { type Sensitivity, sensitivityOf, stricter } from "#core/safety/sensitivity";
import { estimateTokens } from "#core/text/estimate-tokens";
import { labelled } from "#core/text/labelled";
import type { StoredMessage } from "#db/schema/sessions";
import { MAX_CONTENT_CHARACTERS } from "#domain/memories";
import type { ChatModel } from "#ports/chat-model";
import { askSummary, type Unusable } from "./ask-summary.ts";
import { leadingSentences, type Room } from "./leading-sentences.ts";
import type { EpisodeToSummarize, Surroundings } from "./load-episodes.ts";
import type { SessionToSummarize } from "./load-session.ts";
import { roomFor } from "./parts.ts";
import { type SummaryMessage, saidSentences } from "./said-sentences.ts";

/** The words of one summary. `unusable`: why the model's answer was not used. */
export type WrittenSummary = {
  content: string;
  by: "model" | "sentences";
  unusable: Unusable | null;
  from: number;
  to: number;
  tokensBefore: number;
  tokensAfter: number;
  sensitivity: Sensitivity;
};

type Part = { session: SessionToSummarize; episodes: readonly EpisodeToSummarize[]; surroundings: Surroundings };

/**
 * Writes the summary of one part of a session, by the model if there is one and its answer can be used, else by leading sentences. Null if
 * nothing in it is worth a sentence.
 * @throws what the port of the model throws.
 */
export async function writeSummary(model: ChatModel | null, part: Part): Promise<WrittenSummary | null> {
  const { episodes, surroundings, session } = part;
  const [from, to] = [Math.min(...episodes.map((one) => one.firstAt)), Math.max(...episodes.map((one) => one.occurredAt))];
  const all = episodes.flatMap(({ messages }) => messages);
  const title = `Summary ${dayOf(all, from)} – ${dayOf(all, to)}:`;
  const tokensBefore = episodes.reduce((sum, { tokens }) => sum + tokens, 0);
  const room: Room = { tokens: roomFor(tokensBefore), characters: MAX_CONTENT_CHARACTERS - title.length - 1 };
  const said = saidSentences(messagesOf(part), surroundings.replaced);
  const leading = leadingSentences(said, room);
  if (leading.length === 0) return null;
  const asked = model === null ? null : await askSummary(model, { said, replaced: surroundings.replaced, room });
  const lines = asked?.kind === "written" ? asked.lines : leading;
  const content = [title, ...lines].join("\n");
  const words = [content, ...episodes.flatMap(({ messages }) => messages.map(({ text }) => text))].map(sensitivityOf);
  const strictest = [...words, ...surroundings.learned].reduce(stricter, "public");
  return {
    ...{ content, from, to, tokensBefore, tokensAfter: estimateTokens(content) },
    by: asked?.kind === "written" ? "model" : "sentences",
    unusable: asked?.kind === "unusable" ? asked.reason : null,
    sensitivity: session.kind === "group" ? strictest : stricter(strictest, "personal"),
  };
}

/**
 * What is summarized. In a private session of a project only what its user said: the assistant may have repeated what other members of the
 * project know, who may take it back.
 */
function messagesOf({ session, episodes, surroundings }: Part): SummaryMessage[] {
  return episodes.flatMap(({ messages, chunks, sentBy }) =>
    messages.flatMap((message, at): SummaryMessage[] => {
      if (message.role !== "user" && session.kind === "private" && session.projectId !== null) return [];
      const hidden = chunks.flatMap(({ m, s, e, n }) => (m === at && n === 0 ? [{ start: s, end: e }] : []));
      const label = labelOf(message, { sentBy, session, surroundings });
      return [{ role: message.role, label, text: message.text, hidden }];
    }),
  );
}

/** Nobody is named for the user of a private session. A label identifies nobody, and is shown as one. */
function labelOf(
  { role, speaker, userId }: StoredMessage,
  { sentBy, session, surroundings }: { sentBy: number | null } & Pick<Part, "session" | "surroundings">,
): string | null {
  if (role !== "user") return "Assistant";
  if (userId === undefined && speaker !== null) return labelled(speaker);
  if (session.kind === "private") return null;
  return surroundings.speakers.get(userId ?? sentBy ?? 0)?.name ?? null;
}

/** The day of a message where it was said, as far as its offset says. */
function dayOf(messages: readonly StoredMessage[], at: number): string {
  const offset = messages.find(({ occurredAt }) => occurredAt === at)?.offset ?? null;
  return localTime(at, { offset, timeZone: null }).day;
}
