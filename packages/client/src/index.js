export { Edgewise } from "./edgewise.ts";
export { EdgewiseConnectionError, EdgewiseError, EdgewiseTimeoutError } from "./errors.ts";
