/** The lines of an answer, as they arrive. Ending the loop early closes the connection. */
export declare function readLines({ body }: Response, signal?: AbortSignal): AsyncGenerator<string, void>;
/** The data of server-sent events, parsed; `[DONE]` ends them. */
export declare function readEvents(response: Response, signal?: AbortSignal): AsyncGenerator<unknown, void>;
