/** The functions that one request entered, by id, in order of first entry. */
export type CountedPath = {
  name: string;
  /** Entered before the client had the whole answer. */
  answered: string[];
  /** Entered first by what the request left for after its answer. */
  deferred: string[];
};

/** A request of alice; `body` differs from turn to turn, so that none is a repetition of another. */
type CountedRequest = { name: string; method: string; path: string; body: (turn: number) => Record<string, unknown> };

const CITIES = ["Lisbon", "Vienna", "Porto", "Ghent"];

export const REQUESTS: readonly CountedRequest[] = [
  {
    name: "append",
    method: "POST",
    path: "/v1/sessions/chat-1/episodes",
    body: (turn) => ({
      messages: [
        { role: "user", content: `I adopted a cat called Miso in ${CITIES[turn]}.` },
        { role: "assistant", content: "Lovely! How is she?" },
      ],
    }),
  },
  {
    name: "search",
    method: "POST",
    path: "/v1/search",
    body: (turn) => ({ query: `What is my cat from ${CITIES[turn]} called?` }),
  },
  {
    name: "remember",
    method: "POST",
    path: "/v1/memories",
    body: (turn) => ({ content: `Alice would like to live in ${CITIES[turn]}` }),
  },
  {
    name: "proxied chat",
    method: "POST",
    path: "/v1/chat/completions",
    body: (turn) => ({
      model: "echo",
      messages: [{ role: "user", content: `What is my cat from ${CITIES[turn]} called?` }],
    }),
  },
];
