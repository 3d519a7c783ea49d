/** An operation as a line of the generated table says it. */
export type Operation = {
    method: string;
    path: string;
    /** Whether the service carries out a request once for each `idempotency-key`. */
    takesKey: boolean;
    /** Fields that go into the query although the request has a body. */
    query: readonly string[];
    /** Fields that go into a header `x-edgewise-…`. */
    headers: readonly string[];
};
/**
 * @example
 * parseOperation("POST! memories/{memoryId}/restore?userId,sessionId")
 */
export declare function parseOperation(line: string): Operation;
export type Fields = Readonly<Record<string, unknown>>;
export type Request = {
    method: string;
    path: string;
    headers: Record<string, string>;
    body: string | undefined;
};
/** Puts each field of the input where the operation wants it: path, query, header or body. Fields that are undefined are absent. */
export declare function toRequest({ method, path, query, headers }: Operation, input: Fields): Request;
