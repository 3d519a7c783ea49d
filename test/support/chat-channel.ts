import { inject } from "vitest";
import type { ChatAnswer } from "#test/chat-answers";
import type { ChatMisbehaviour, Control, ServedChat } from "#test/chat-server";

/** The chat server of this run, steered over HTTP from a test in workerd. */
export type RemoteChannel = {
  /** The base that an OpenAI-compatible client takes. */
  url: string;
  /** The next requests are treated like this, first to last; the ones after them well. */
  misbehave(...next: ChatMisbehaviour[]): Promise<void>;
  /** The next requests are answered so, first to last; the ones after them with an echo. */
  answer(...next: (ChatAnswer | string)[]): Promise<void>;
  /** Refuses requests that have one of these parameters. */
  refuse(...parameters: string[]): Promise<void>;
  requests(): Promise<ServedChat[]>;
  /** Forgets what was asked of it and what it was asked. */
  reset(): Promise<void>;
};

/** An address of this test's own: what another test file asks of the server does not come here. */
export function chatChannel(name: string = crypto.randomUUID()): RemoteChannel {
  const base = `${inject("chatOrigin")}/c/${name}`;
  const control = async (body: Control) => {
    const response = await fetch(`${base}/control`, { method: "POST", body: JSON.stringify(body) });
    await response.text();
  };
  return {
    url: `${base}/v1`,
    misbehave: (...misbehave) => control({ misbehave }),
    answer: (...answers) => control({ answers }),
    refuse: (...refuses) => control({ refuses }),
    requests: async () => (await fetch(`${base}/requests`)).json<ServedChat[]>(),
    reset: () => control({ reset: true }),
  };
}
