import type { Api } from "./generated/api.ts";
import { type EdgewiseOptions, type Platform } from "./send.ts";
export interface Edgewise extends Api {
}
/**
 * A client of one Edgewise service with one credential.
 * @example
 * const edgewise = new Edgewise({ baseUrl: "http://127.0.0.1:8787", token: key });
 * await edgewise.memories.add({ userId: "alice", content: "I am allergic to peanuts." });
 */
export declare class Edgewise {
    #private;
    constructor(options: EdgewiseOptions, platform?: Platform);
    /** The state of the database that the client has seen: give it to another client, and that one reads what this one wrote. */
    get bookmark(): string | null;
    set bookmark(bookmark: string | null);
    /** Whether the service answers. It never throws. */
    isAvailable({ timeoutMs }?: {
        timeoutMs?: number;
    }): Promise<boolean>;
}
