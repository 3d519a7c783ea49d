export type Token = string | (() => string | Promise<string>);

/** The credential of a client. Calls share one run of the function that gets it, and one that replaces a refused one. */
export class TokenSource {
  readonly #token: Token;
  #current: Promise<string> | undefined;

  constructor(token: Token) {
    this.#token = token;
  }

  get canRefresh(): boolean {
    return typeof this.#token === "function";
  }

  get(): Promise<string> {
    this.#current ??= this.#ask();
    return this.#current;
  }

  /** The service refused it. If another call has replaced it in the meantime, that one is kept. */
  refuse(token: Promise<string>): void {
    if (this.#current === token) this.#current = undefined;
  }

  async #ask(): Promise<string> {
    const token = this.#token;
    if (typeof token === "string") return token;
    try {
      return await token();
    } catch (error) {
      // The next call asks again.
      this.#current = undefined;
      throw error;
    }
  }
}
