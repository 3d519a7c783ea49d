export type Token = string | (() => string | Promise<string>);

export type TokenSource = {
  get: () => Promise<string>;
  /** The service refused this one. Answers whether `get` may give another. */
  refuse: (token: Promise<string>) => boolean;
};

/** The credential of a client. Calls share one run of the function that gets it, and one that replaces a refused token. */
export function createTokenSource(token: Token): TokenSource {
  if (typeof token === "string") return { get: async () => token, refuse: () => false };
  let current: Promise<string> | undefined;
  const forget = (used: Promise<string>) => {
    // Another call may have replaced it in the meantime.
    if (current === used) current = undefined;
    return true;
  };
  const get = () => {
    if (current !== undefined) return current;
    const asked = Promise.resolve().then(token);
    current = asked;
    // After a failure, the next call asks again; this one's caller gets the error.
    asked.catch(() => forget(asked));
    return asked;
  };
  return { get, refuse: forget };
}
