import { inject } from "vitest";
import type { ChatAnswer } from "#test/chat-answers";
import type { ChatMisbehaviour, Control, ServedChat } from "#test/chat-server";

/** The chat server of this run, controlled over HTTP from a test in workerd. */
export type RemoteChannel = {
  /** The base URL for an OpenAI-compatible client. */
  url: string;
  /** How the server handles the next requests, first to last; later ones succeed. */
  misbehave(...next: ChatMisbehaviour[]): Promise<void>;
  /** The answers to the next requests, first to last; later ones get an echo. */
  answer(...next: (ChatAnswer | string)[]): Promise<void>;
  /** Refuses requests that have one of these parameters. */
  refuse(...parameters: string[]): Promise<void>;
  requests(): Promise<ServedChat[]>;
  /** Clears the recorded requests and the configured behaviour. */
  reset(): Promise<void>;
};

/** An address for this test only: requests of other test files do not arrive here. */
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
