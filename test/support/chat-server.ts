import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type Answering, type ChatAnswer, type ChatBody, echo, measured, SPOILT, textOf } from "#test/chat-answers";
import { gone } from "#test/chat-stream";
import {
  breakOff,
  complaint,
  MODELS,
  type Send,
  send,
  sendCompletion,
  sendRaw,
  unsupported,
  unsupportedRole,
} from "#test/chat-wire";
import { embed } from "#test/embed-texts";
import { aboutKept, type Kept, nothingKept, prepareResponse } from "#test/kept-responses";
import { newId } from "#test/response-items";

export type { Answering, ChatAnswer, ChatBody } from "#test/chat-answers";

/** How the server may fail one request instead of answering it. */
export type ChatMisbehaviour =
  | { status: number; retryAfter?: string; error?: string }
  | { slow: number }
  | "hang"
  | "hang in body"
  | "hang up"
  | "hang up half-way"
  | "error event"
  | "html"
  | RawReply
  | "no choices"
  | keyof typeof SPOILT;

/**
 * Status 200 and this body, byte by byte, with this content type, or none; so many times, or until the client leaves. With `breakOff` the
 * connection is closed before the body's end.
 */
export type RawReply = { raw: string; type?: string; times?: number | "endless"; breakOff?: boolean };

export type ServedChat = {
  method: string;
  /** Below the base, such as `/chat/completions`; with the query, if there is one. */
  path: string;
  headers: Record<string, string>;
  body: ChatBody;
  /** The body as it came. */
  text: string;
  /** Unix milliseconds. */
  at: number;
  /** The client disconnected before the answer's end. */
  aborted: boolean;
};

/** Requests under one address, with their own queue of failures: tests that run in parallel use one each. */
export type ChatChannel = {
  /** The base URL for an OpenAI-compatible client. */
  url: string;
  /** How the server handles the next requests, first to last; later ones succeed. */
  misbehave(...next: ChatMisbehaviour[]): void;
  /** The answers to the next requests, first to last; later ones are answered by `answering`. */
  answer(...next: (ChatAnswer | string)[]): void;
  /** How requests without a configured answer are answered; initially an echo. */
  answering(answering: Answering): void;
  /** Refuses requests that have one of these parameters, or a message with a role (`role system`), as OpenAI does for some models. */
  refuse(...parameters: string[]): void;
  requests: ServedChat[];
};

export type ChatServer = ChatChannel & {
  origin: string;
  /** Its control path is `{origin}/c/{name}/control`, its requests `{origin}/c/{name}/requests`. */
  channel(name: string): ChatChannel;
  close(): Promise<void>;
};

export type ChatServerOptions = { port?: number; apiKey?: string; answering?: Answering };

/** The body of `POST /control`, for tests that do not run in Node. */
export type Control = { misbehave?: ChatMisbehaviour[]; answers?: (ChatAnswer | string)[]; refuses?: string[]; reset?: boolean };

type State = ChatChannel & {
  misbehaviours: ChatMisbehaviour[];
  answers: (ChatAnswer | string)[];
  how: Answering;
  refused: Set<string>;
  kept: Kept;
};

/** Implements OpenAI's chat completions, responses, embeddings and models: for tests, and for trying a whole service without a model. */
export async function startChatServer(options: ChatServerOptions = {}): Promise<ChatServer> {
  const { port = 0, apiKey, answering = echo } = options;
  const states = new Map<string, State>();
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  // No keep-alive timeout: a connection that the server closes while the runtime sends fails the request, and a test may pause between two
  // requests.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : port}`;

  function stateOf(name: string): State {
    const known = states.get(name) ?? newState(name === "" ? origin : `${origin}/c/${name}`, answering);
    states.set(name, known);
    return known;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, name = "", path = "/"] = /^(?:\/c\/([\w-]+))?(\/[^?]*)/.exec(request.url ?? "") ?? [];
    const state = stateOf(name);
    const text = await read(request);
    if (path === "/control") return send(response, 200, control(state, answering, JSON.parse(text)));
    if (path === "/requests") return send(response, 200, state.requests);
    if (apiKey !== undefined && request.headers.authorization !== `Bearer ${apiKey}`)
      return send(response, 401, complaint(`bad key: ${request.headers.authorization}`));
    await route(state, { request, response, text }, path);
  }

  return {
    ...stateOf(""),
    origin,
    channel: stateOf,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

function newState(origin: string, answering: Answering): State {
  const state: State = {
    url: `${origin}/v1`,
    requests: [],
    misbehaviours: [],
    answers: [],
    how: answering,
    refused: new Set(),
    kept: nothingKept(),
    misbehave: (...next) => void state.misbehaviours.push(...next),
    answer: (...next) => void state.answers.push(...next),
    answering: (how) => {
      state.how = how;
    },
    refuse: (...parameters) => {
      for (const parameter of parameters) state.refused.add(parameter);
    },
  };
  return state;
}

function control(state: State, answering: Answering, { misbehave = [], answers = [], refuses = [], reset }: Control) {
  if (reset === true) {
    for (const list of [state.misbehaviours, state.answers, state.requests]) list.length = 0;
    state.refused.clear();
    state.kept = nothingKept();
    state.how = answering;
  }
  state.misbehave(...misbehave);
  state.answer(...answers);
  state.refuse(...refuses);
  return { url: state.url, waiting: state.misbehaviours.length, answers: state.answers.length };
}

type Exchange = { request: IncomingMessage; response: ServerResponse; text: string };

async function route(state: State, exchange: Exchange, path: string): Promise<void> {
  const { request, response, text } = exchange;
  const { method = "" } = request;
  switch (`${method} ${path}`) {
    case "GET /v1/models":
      return send(response, 200, MODELS);
    case "POST /v1/chat/completions":
      return await complete(state, exchange);
    case "POST /v1/responses":
      return await respond(state, exchange);
    case "POST /v1/embeddings":
      record(state, exchange, "/embeddings");
      return send(response, ...(await embed(JSON.parse(text))));
    case "POST /v1/conversations": {
      const id = newId("conv");
      state.kept.conversations.set(id, []);
      return send(response, 200, { id, object: "conversation", created_at: 1_700_000_000, metadata: {} });
    }
    default:
      if (!path.startsWith("/v1/responses/")) return send(response, 404, complaint("no such path"));
      record(state, exchange, (request.url ?? "").replace(/^.*?\/v1/, ""));
      return send(response, ...aboutKept(state.kept, { method, path }));
  }
}

function record(state: State, { request, response, text }: Exchange, path: string): void {
  const served: ServedChat = {
    method: request.method ?? "",
    path,
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
    body: asBody(text === "" ? {} : JSON.parse(text)),
    text,
    at: Date.now(),
    aborted: false,
  };
  state.requests.push(served);
  response.on("close", () => {
    served.aborted = !response.writableFinished && !gone.has(response);
  });
}

async function complete(state: State, exchange: Exchange): Promise<void> {
  const { response, text } = exchange;
  const body = asBody(JSON.parse(text));
  record(state, exchange, "/chat/completions");
  if (typeof body.model !== "string" || !Array.isArray(body.messages) || body.messages.length === 0)
    return send(response, 400, complaint("model and messages are required"));
  const refused = [...state.refused].find((parameter) => body[parameter] !== undefined);
  if (refused !== undefined) return send(response, 400, unsupported(refused));
  const role = body.messages.findIndex((message) => state.refused.has(`role ${message.role}`));
  if (role !== -1) return send(response, 400, unsupportedRole(role, body.messages[role]?.role ?? ""));
  await answer(state, response, { body, deliver: sendCompletion(body) });
}

async function respond(state: State, exchange: Exchange): Promise<void> {
  const { response, text } = exchange;
  record(state, exchange, "/responses");
  const prepared = prepareResponse(state.kept, JSON.parse(text));
  if ("status" in prepared) return send(response, prepared.status, prepared.error);
  await answer(state, response, { body: prepared.chat, deliver: prepared.send });
}

type Asked = { body: ChatBody; deliver: Send };

async function answer(state: State, response: ServerResponse, { body, deliver }: Asked): Promise<void> {
  const misbehaviour = state.misbehaviours.shift();
  if (misbehaviour === "hang") return;
  if (misbehaviour === "hang up") return breakOff(response);
  if (misbehaviour === "html")
    return void response.writeHead(200, { "content-type": "text/html" }).end(`<html>${JSON.stringify(body)}`);
  if (misbehaviour === "no choices") return send(response, 200, { object: "chat.completion", choices: [] });
  if (typeof misbehaviour === "object" && "raw" in misbehaviour) return await sendRaw(response, misbehaviour);
  if (typeof misbehaviour === "object" && "status" in misbehaviour) {
    if (misbehaviour.retryAfter !== undefined) response.setHeader("retry-after", misbehaviour.retryAfter);
    return send(
      response,
      misbehaviour.status,
      complaint(misbehaviour.error ?? `cannot answer: ${JSON.stringify(body.messages)}`),
    );
  }
  const given = state.answers.shift() ?? state.how(body);
  const whole = typeof given === "string" ? { content: given } : given;
  const spoilt = isSpoilt(misbehaviour) ? SPOILT[misbehaviour](whole, body) : whole;
  const fault = isSpoilt(misbehaviour) ? undefined : misbehaviour;
  await deliver(response, measured(spoilt, body), fault);
}

function isSpoilt(misbehaviour: ChatMisbehaviour | undefined): misbehaviour is keyof typeof SPOILT {
  return typeof misbehaviour === "string" && misbehaviour in SPOILT;
}

/** Not validated yet: `complete` and `prepareResponse` check the fields that it needs. */
function asBody(json: unknown): ChatBody {
  return json as ChatBody;
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

/** Repeats the memory block that it received, so that a person sees what a model would see. */
export function repeat(body: ChatBody): string {
  const lines = body.messages.flatMap(({ content }) => textOf(content).split("\n"));
  const memory = lines.filter((line) => /^\[M\d+\]/.test(line));
  return memory.length === 0 ? "I was sent no memory." : `I was sent this memory:\n${memory.join("\n")}`;
}

/** `node test/support/chat-server.ts [port]` */
if (import.meta.main) {
  const { url } = await startChatServer({ port: Number(process.argv[2] ?? "11436"), answering: repeat });
  process.stdout.write(`A stand-in for a model, at ${url}: it repeats the memory that it is sent.\n`);
}
