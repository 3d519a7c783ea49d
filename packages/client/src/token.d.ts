export type Token = string | (() => string | Promise<string>);
/** The credential of a client. Calls share one run of the function that gets it, and one that replaces a refused one. */
export declare class TokenSource {
    #private;
    constructor(token: Token);
    get canRefresh(): boolean;
    get(): Promise<string>;
    /** The service refused it. If another call has replaced it in the meantime, that one is kept. */
    refuse(token: Promise<string>): void;
}
