import type { operations } from "./generated/schema.ts";
import type { FileBytes } from "./operation.ts";

/** The id of an operation, as in `/docs`: `memories.add`. */
export type OperationId = keyof operations;

type Parameters<Id extends OperationId, In extends "path" | "query"> = operations[Id]["parameters"] extends {
  [Name in In]?: infer Fields;
}
  ? [Exclude<Fields, undefined>] extends [never]
    ? unknown
    : Exclude<Fields, undefined>
  : unknown;

type Body<Id extends OperationId> = operations[Id] extends { requestBody?: { content: { "application/json": infer Fields } } }
  ? Fields
  : operations[Id] extends { requestBody: { content: { "*/*": unknown } } }
    ? {
        /** The bytes of the file. Its media type is that of a Blob, or the header `content-type` of the call's options. */
        body: FileBytes;
      }
    : unknown;

/** Fields that the service reads from headers, because the body belongs to somebody else. */
type Place<Id extends OperationId> = "x-edgewise-user" extends keyof Header<Id>
  ? {
      /** The user for whom it is, by the app's id. */
      userId?: string;
      /** The session in which it is said; it is made if it does not exist. */
      sessionId?: string;
      /** The project in which the session opens. */
      projectId?: string;
      /** What is visible only to queries that name this workspace is visible. */
      workspaceId?: string;
      /** `off`: nothing is retrieved, added or stored. */
      memory?: "on" | "off";
    }
  : unknown;

type Header<Id extends OperationId> = operations[Id]["parameters"] extends { header?: infer Fields }
  ? Exclude<Fields, undefined>
  : never;

/** `Fields` without what `Body` has too: a field that both have is sent in the body. Each member of a union keeps its own fields. */
type Merge<Fields, Body> = Body extends unknown ? Omit<Fields, keyof Body> & Body : never;

/** All fields of an operation, wherever the request carries them. */
export type Input<Id extends OperationId> = Parameters<Id, "path"> & Place<Id> & Merge<Parameters<Id, "query">, Body<Id>>;

type Answers<Id extends OperationId> = operations[Id]["responses"][keyof operations[Id]["responses"]];
type Json<Answer> = Answer extends { content: { "application/json": infer Data } } ? Data : never;

/** What a receipt keeps of an answer (docs/requests.md#idempotency). */
type Kept = "id" | "mergedInto" | "version" | "created" | "written" | "retracted" | "remaining" | "outcome";
type KeptWhole = "skippedMessageIds" | "redacted" | "problem";
type Within = "items" | "entity" | "from" | "into";

/**
 * The answer to a write: ids, versions and outcomes. Its content is absent if the write had been carried out already when a request was
 * repeated after a broken connection, and for keys without the permission `read`.
 */
export type Written<Data> = Data extends readonly (infer Item)[]
  ? Written<Item>[]
  : Data extends object
    ? {
        [Name in keyof Data as Name extends Kept | KeptWhole | Within ? Name : never]: Name extends Within
          ? Written<Data[Name]>
          : Data[Name];
      } & {
        [Name in keyof Data as Name extends Kept | KeptWhole | Within ? never : Name]?: Data[Name];
      }
    : Data;

type Data<Id extends OperationId> =
  Answers<Id> extends { content: { "application/json": unknown } }
    ? "application/vnd.edgewise.receipt+json" extends ContentType<Answers<Id>>
      ? Written<Json<Answers<Id>>>
      : Json<Answers<Id>>
    : undefined;
type ContentType<Answer> = Answer extends { content: infer Content } ? keyof Content : never;

/**
 * What a call answers. A removal answers undefined if it had been carried out already when it was repeated after a broken connection: the
 * first answer, which is lost, had the rest.
 */
export type Output<Id extends OperationId> =
  "application/x-ndjson" extends ContentType<Answers<Id>>
    ? AsyncIterable<string>
    : Id extends `${string}.${"delete" | "remove"}${string}`
      ? Data<Id> | undefined
      : Data<Id>;

/** A request on its way. It is a promise of the data; `withResponse` also gives the answer's status and headers. */
export interface Call<Data> extends Promise<Data> {
  withResponse(): Promise<{ data: Data; response: Response }>;
}

/** Awaited, it is one page. In `for await`, it is all items: the next page is fetched when the loop gets there. */
export interface ListCall<Page extends { items: readonly unknown[] }> extends Call<Page>, AsyncIterable<Page["items"][number]> {}

/** In `for await`, the parts of the answer as they arrive. Awaited, it is the same once the answer has begun. */
export interface StreamCall<Part> extends Call<AsyncIterable<Part>>, AsyncIterable<Part> {}

export type CallOptions = {
  /** Ends the call; the promise is rejected with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** How long one attempt may take, the token included; of a stream, until it begins. Infinity: as long as it takes. */
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  /** For writes by POST. By default a random one is made for each call, so that a repetition is carried out once. */
  idempotencyKey?: string | undefined;
  /** The version (or the ETag) that a change is based on: the error `precondition_failed` if somebody else's came first. */
  ifMatch?: number | string | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  /** Query parameters whose names are also fields of the body, as `workspaceId` of `memories.update`. */
  query?: Readonly<Record<string, string>> | undefined;
};

type Arguments<Fields> =
  Record<never, never> extends Fields ? [input?: Fields, options?: CallOptions] : [input: Fields, options?: CallOptions];

type Result<Data> = Data extends { items: readonly unknown[]; nextCursor: string | null } ? ListCall<Data> : Call<Data>;

/** An operation that takes one item, or several under the name of their kind, answers one item or several. */
interface OneOrMany<Many, One, ManyData, OneData> {
  (input: Many, options?: CallOptions): Call<ManyData>;
  (input: One, options?: CallOptions): Call<OneData>;
}

interface Streaming<Fields, Data, Part> {
  (input: Fields & { stream: true }, options?: CallOptions): StreamCall<Part>;
  (input: Fields & { stream?: false | undefined }, options?: CallOptions): Call<Data>;
}

/** The inputs of an operation that have several items under the name of its group: `memories` of `memories.add`. */
type Many<Id extends OperationId> = Id extends `${infer Group}.${string}`
  ? Extract<Input<Id>, { [Name in Group]: readonly unknown[] }>
  : never;
type HasItems = { items: readonly unknown[] };

/** The signature of an operation's method. */
export type Method<Id extends OperationId> = Id extends "chat.complete"
  ? Streaming<Input<Id>, ChatCompletion, ChatCompletionChunk>
  : Id extends "responses.create"
    ? Streaming<Input<Id>, Output<Id>, ResponseEvent>
    : Output<Id> extends AsyncIterable<infer Part>
      ? (...args: Arguments<Input<Id>>) => StreamCall<Part>
      : [Many<Id>] extends [never]
        ? (...args: Arguments<Input<Id>>) => Result<Output<Id>>
        : OneOrMany<Many<Id>, Exclude<Input<Id>, Many<Id>>, Extract<Output<Id>, HasItems>, Exclude<Output<Id>, HasItems>>;

/** OpenAI's chat completion, as far as this client names its fields. The tenant's model server may send more. */
export interface ChatCompletion {
  id: string;
  object: string;
  model?: string;
  choices: { index: number; message: ChatReply; finish_reason: string | null; [name: string]: unknown }[];
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number; [name: string]: unknown };
  [name: string]: unknown;
}

export interface ChatCompletionChunk {
  id: string;
  object: string;
  model?: string;
  choices: { index: number; delta: Partial<ChatReply>; finish_reason?: string | null; [name: string]: unknown }[];
  usage?: ChatCompletion["usage"] | null;
  [name: string]: unknown;
}

/** An event of OpenAI's Responses API, as `response.output_text.delta`. */
export interface ResponseEvent {
  type: string;
  [name: string]: unknown;
}

export interface ChatReply {
  role: string;
  content: string | null;
  tool_calls?: { index?: number; id?: string; type?: string; function?: { name?: string; arguments?: string } }[];
  [name: string]: unknown;
}
