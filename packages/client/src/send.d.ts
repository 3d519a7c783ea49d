import type { CallOptions } from "./method.ts";
import { type Fields, type Operation } from "./operation.ts";
import { type Token } from "./token.ts";
export type EdgewiseOptions = {
    /** The address of the service, without `/v1`. */
    baseUrl: string;
    /** An API key or a user token, or a function that gets one. The function is called again when the service refuses what it gave. */
    token: Token;
    /** Used instead of the global fetch. */
    fetch?: typeof globalThis.fetch | undefined;
    /** How often a call is repeated when that may help; 2 when absent. */
    maxRetries?: number | undefined;
    /** How long one attempt may take; 30,000 when absent. */
    timeoutMs?: number | undefined;
    /** Headers of every request. */
    headers?: Readonly<Record<string, string>> | undefined;
};
/** What a test replaces: the clock, chance and waiting. */
export type Platform = {
    now(): number;
    /** From 0 to 1. */
    random(): number;
    newKey(): string;
    /** Rejects with the signal's reason when it is aborted. */
    wait(ms: number, signal: AbortSignal | undefined): Promise<void>;
};
export type Answer = {
    data: unknown;
    response: Response;
};
/** Sends requests with one credential, and holds what an answer says for the next request. */
export declare class Sender {
    #private;
    bookmark: string | null;
    constructor(options: EdgewiseOptions, platform: Platform);
    /** Carries out an operation, and repeats it where that may help. */
    send(operation: Operation, input: Fields, options: CallOptions): Promise<Answer>;
}
