/** The service refused a request, or failed to carry it out. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor assigns every field of the interface.
export class EdgewiseError extends Error {
    constructor(problem) {
        super(problem.detail);
        this.name = "EdgewiseError";
        Object.assign(this, problem);
    }
}
/** No answer arrived: the service is not reachable, or the connection broke. `cause` is what fetch reported. */
export class EdgewiseConnectionError extends Error {
    constructor(message, options) {
        super(message, options);
        this.name = "EdgewiseConnectionError";
    }
}
/** No answer arrived within `timeoutMs`. */
export class EdgewiseTimeoutError extends EdgewiseConnectionError {
    constructor(message, options) {
        super(message, options);
        this.name = "EdgewiseTimeoutError";
    }
}
