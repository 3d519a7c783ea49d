import { createRoute, type RouteConfig } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { Permission } from "#core/permission";
import { ifMatch } from "./etag.ts";
import { idempotencyKey, RECEIPT, Receipt, type Replay, replayed, withholdContent } from "./idempotent.ts";
import { OPEN_PROBLEM_RESPONSES, PRECONDITION_FAILED, PROBLEM_RESPONSES } from "./problem-responses.ts";
import { answerHeaders } from "./response-headers.ts";
import type { RestEnv, SessionPlace, Traits } from "./rest-env.ts";
import { confined } from "./session-place.ts";
import type { TAGS } from "./tags.ts";

export const MAX_BODY_BYTES = 1_000_000;

type Group = {
  tag: keyof typeof TAGS;
  /** Whether answers contain what users wrote: a key without `read` gets a receipt instead. */
  answersContent: boolean;
};

/** The traits that each route declares. A POST says whether it changes something, and which part of its answer is stored for a repeat. */
type Declaration = {
  operationId: `${string}.${string}`;
  summary: string;
  description: string;
  permission: Permission | null;
  /** How the request names its session; see `SessionPlace`. Without a reader, a token for some sessions is refused. */
  session: SessionPlace;
  /** For what user tokens may not do whatever their permissions; what needs `admin` they never may. */
  keysOnly?: true;
  request?: RouteConfig["request"];
  responses: RouteConfig["responses"];
  /** 1,000,000 bytes when absent. */
  bodyLimit?: number;
  /** The body is a file's bytes: nothing reads or decodes it before the handler. */
  rawBody?: true;
  /** By default, every write stores names; `false` for a write that only looks for the names in the request, or that redacts them itself. */
  storesNames?: false;
  openAiErrors?: true;
} & ({ method: "get" | "put" | "patch" | "delete" } | { method: "post"; readOnly: true } | { method: "post"; replay: Replay });

const TRAITS = Symbol("traits");

/** The traits that `routesOf` gave a route. */
export function traitsOf(route: object): Traits | undefined {
  return TRAITS in route ? (route[TRAITS] as Traits) : undefined;
}

/**
 * Creates the routes of one tag, and adds what every route needs: security, the shared errors, headers, receipts and middleware. `app`
 * refuses to start with a route that was made without it.
 * @example
 * const route = routesOf({ tag: "memories", answersContent: true });
 * route({ method: "get", path: "/v1/memories", operationId: "memories.list", permission: "read", … });
 */
export function routesOf({ tag, answersContent }: Group) {
  return <P extends string, R extends Declaration & { path: P }>(declared: R) => {
    const { permission, session, keysOnly, bodyLimit, rawBody, storesNames, openAiErrors, readOnly, replay, ...operation } =
      withAllTraits(declared);
    const changes = operation.method !== "get" && !readOnly;
    const traits: Traits = {
      permission,
      session,
      keysOnly: keysOnly ?? permission === "admin",
      changes,
      bodyLimit: bodyLimit ?? MAX_BODY_BYTES,
      rawBody: rawBody ?? false,
      storesNames: storesNames ?? (changes && operation.method !== "delete"),
      openAiErrors: openAiErrors ?? false,
    };
    const keepsAnswer = replay !== undefined && replay !== "unsupported";
    // A request has one schema for its headers, and the schema of the Idempotency-Key would replace another.
    if (keepsAnswer && operation.request?.headers !== undefined)
      throw new Error(`${declared.operationId} names headers of its own.`);
    const middleware: MiddlewareHandler<RestEnv>[] = [
      ...(permission === null ? [] : [confined(session)]),
      ...(answersContent ? [withholdContent] : []),
      ...(keepsAnswer ? [replayed(replay)] : []),
    ];
    const route = {
      ...operation,
      [TRAITS]: traits,
      tags: [tag],
      security: permission === null ? [] : [{ key: [] }, ...(traits.keysOnly ? [] : [{ token: [] }])],
      description: permission === null ? operation.description : `${operation.description} Permission: \`${permission}\`.`,
      ...(keepsAnswer ? { request: { ...operation.request, headers: idempotencyKey } } : {}),
      responses: responsesOf(operation, {
        isOpen: permission === null,
        keepsAnswer,
        hasReceipt: (keepsAnswer && replay !== "nothing") || (changes && answersContent),
      }),
      middleware,
    };
    return createRoute<P, R>(asDeclared<R>(route));
  };
}

type Answered = { isOpen: boolean; keepsAnswer: boolean; hasReceipt: boolean };
type Responses = RouteConfig["responses"];

function responsesOf({ request, responses }: Pick<Declaration, "request" | "responses">, answered: Answered): Responses {
  const own = Object.entries(responses).map(([status, response]) => [
    status,
    "$ref" in response ? response : successOf(response, answered),
  ]);
  const problems = answered.isOpen ? OPEN_PROBLEM_RESPONSES : PROBLEM_RESPONSES;
  return { ...problems, ...(request?.headers === ifMatch ? PRECONDITION_FAILED : {}), ...Object.fromEntries(own) };
}

function successOf(response: Exclude<Responses[string], { $ref: string }>, { keepsAnswer, hasReceipt }: Answered) {
  const { content } = response;
  const receipt = hasReceipt && content?.["application/json"] !== undefined ? { [RECEIPT]: { schema: Receipt } } : {};
  return {
    ...response,
    headers: { ...answerHeaders({ isReplayed: keepsAnswer }), ...response.headers },
    ...(content === undefined ? {} : { content: { ...content, ...receipt } }),
  };
}

/** Every optional trait by its name, whichever member of the union was declared. */
function withAllTraits(
  declared: Declaration & { path: string },
): Declaration & { path: string; readOnly?: true; replay?: Replay } {
  return declared;
}

/** The handler's types are those of the declaration: what `routesOf` adds is for the document and the middleware. */
function asDeclared<R extends Declaration>(route: object): R {
  return route as R;
}
