export type Token = string | (() => string | Promise<string>);

export type TokenSource = {
  get: () => Promise<string>;
  /** The service refused this one, or it did not come in time. Answers whether `get` may give another. */
  refuse: (token: Promise<string> | undefined) => boolean;
};

/**
 * The credential of a client. Calls share one run of the function that gets it, and one that replaces a refused token.
 * @throws TypeError if there is none
 */
export function createTokenSource(token: Token): TokenSource {
  if (!token) throw new TypeError("`token` is missing: an API key or a user token.");
  const isFunction = typeof token === "function";
  let current: Promise<string> | undefined;
  const refuse = (used: Promise<string> | undefined) => {
    // Another call may have replaced it in the meantime.
    if (current === used) current = undefined;
    return isFunction;
  };
  const get = () => {
    if (current !== undefined) return current;
    const asked = Promise.resolve().then(isFunction ? token : () => token);
    current = asked;
    // After a failure, the next call asks again; this one's caller gets the error.
    asked.catch(() => refuse(asked));
    return asked;
  };
  return { get, refuse };
}

/**
 * The header of a token, unless the signal is aborted first.
 * @throws TypeError if fetch would refuse the header, in an error that shows the token
 */
export async function authorizationOf(token: Promise<string>, signal: AbortSignal): Promise<string> {
  const given = await new Promise<string>((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
    token.then(resolve, reject);
  });
  const header = `Bearer ${given}`.trim();
  if (/[^ -~]/.test(header)) throw new TypeError("`token` must be visible ASCII.");
  return header;
}
