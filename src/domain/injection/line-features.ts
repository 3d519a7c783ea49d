import { namesAmount } from "#core/language/asked-for";
import { tokensOf } from "#core/language/tokens";
import { worthOf } from "#domain/extraction";
import type { Asked } from "./asked.ts";
import { type Arrangeable, type Line, newestFirst } from "./line.ts";
import { readPlaces } from "./places.ts";

/** What is known of a line beside a question, by which its use is estimated. */
export type LineFeatures = {
  /** The search's score. */
  score: number;
  /** Its likeness to the question, and that of its whole conversation, beside the talk's. */
  likeness: number;
  likenessOfConversation: number;
  user: number;
  /** Where the question asks for what the assistant said. */
  userIfAssistantAsked: number;
  assistantIfAsked: number;
  /** It only asks. */
  question: number;
  /** The first message of a conversation that goes on. */
  opening: number;
  /**
   * 1 for the newest statement and for an entity, falling by half with every six newer ones, and less the more there are; 0 where the
   * assistant's words are asked for.
   */
  latest: number;
  change: number;
  number: number;
  amountIfAsked: number;
  /** It names somebody, where somebody is asked for. */
  personIfAsked: number;
  /** It states something of health, or what somebody does not do or have, where the question wants advice. */
  limitIfAdvice: number;
  /** The log odds of the judge that a message of the user states something worth keeping; a request of the moment has few. */
  worth: number;
  /** That of what the assistant says, and of the message to which it replies. */
  worthOfAssistant: number;
  worthOfReplied: number;
};

const HALF_LIFE = 6;
/** Beyond, the judge is sure. */
const MOST_WORTH = 6;

type Talk<I> = {
  asked: Asked;
  /** All lines of the talk, also those that are not worth showing. */
  all: readonly Line<I>[];
};

/** The features of each line, in order. */
export function readLineFeatures<I extends Arrangeable>(lines: readonly Line<I>[], { asked, all }: Talk<I>): LineFeatures[] {
  const placeOf = readPlaces(all);
  const statements = lines.filter(({ isStatement }) => isStatement).sort(newestFirst);
  const rankOf = new Map(statements.map((line, rank) => [line, rank]));
  return lines.map((line) => {
    const { item, utterance } = line;
    const place = placeOf(line);
    const isAssistant = item.view.role === "assistant";
    const names = new Set(tokensOf(item.text).map(({ name }) => name));
    const isLimit = names.has("health") || (names.has("not") && (names.has("me") || names.has("third")));
    const rank = item.kind === "entity" ? 0 : rankOf.get(line);
    const worth = item.kind === "entity" ? 0 : boundedWorth(item.text);
    return {
      score: item.view.score,
      likeness: place.likeness,
      likenessOfConversation: place.likenessOfConversation,
      user: oneIf(!isAssistant),
      userIfAssistantAsked: oneIf(asked.assistant && !isAssistant),
      assistantIfAsked: oneIf(asked.assistant && isAssistant),
      question: oneIf(utterance.kind === "question"),
      opening: oneIf(place.isOpening),
      latest: rank === undefined || asked.assistant ? 0 : 2 ** (-rank / HALF_LIFE) / Math.sqrt(Math.max(1, statements.length)),
      change: oneIf(utterance.showsChange),
      number: oneIf(/\p{N}/u.test(item.text)),
      amountIfAsked: oneIf(asked.amount && namesAmount(item.text)),
      personIfAsked: oneIf(asked.person && names.has("Name")),
      limitIfAdvice: oneIf(!asked.known && line.isStatement && isLimit),
      worth: isAssistant ? 0 : worth,
      worthOfAssistant: isAssistant ? worth : 0,
      worthOfReplied: isAssistant && place.before !== null ? boundedWorth(place.before.item.text) : 0,
    };
  });
}

function oneIf(holds: boolean): number {
  return holds ? 1 : 0;
}

function boundedWorth(text: string): number {
  return Math.max(-MOST_WORTH, Math.min(MOST_WORTH, worthOf(text)));
}
