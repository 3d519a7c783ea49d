import { asksAssistant, asksForAmount, asksForKnown, asksForPerson } from "#core/language/asked-for";
import { namesClass } from "#core/language/word-classes";

/** What a question asks for. */
export type Asked = {
  /** What the assistant said earlier. */
  assistant: boolean;
  /** A number or a time. */
  amount: boolean;
  person: boolean;
  /** Something that was said before, where other questions want advice or something new. */
  known: boolean;
  /** Whether it speaks of the user. */
  self: boolean;
};

export function readAsked(question: string): Asked {
  return {
    assistant: asksAssistant(question),
    amount: asksForAmount(question),
    person: asksForPerson(question),
    known: asksForKnown(question),
    self: namesClass(question, "me") || namesClass(question, "us"),
  };
}
