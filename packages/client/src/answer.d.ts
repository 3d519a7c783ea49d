import { EdgewiseError } from "./errors.ts";
/** The data of a successful answer: JSON, nothing, or what is read piece by piece. */
export declare function readAnswer(response: Response, signal: AbortSignal | undefined): Promise<unknown>;
/** The error of an answer that is no success, whoever gave it: the service, a model server behind it, or a server on the way. */
export declare function readProblem(response: Response, now: number): Promise<EdgewiseError>;
