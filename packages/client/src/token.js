/** The credential of a client. Calls share one run of the function that gets it, and one that replaces a refused token. */
export function createTokenSource(token) {
    if (typeof token === "string")
        return { get: async () => token, refuse: () => false };
    let current;
    const forget = (used) => {
        // Another call may have replaced it in the meantime.
        if (current === used)
            current = undefined;
        return true;
    };
    const get = () => {
        if (current !== undefined)
            return current;
        const asked = Promise.resolve().then(token);
        current = asked;
        // After a failure, the next call asks again; this one's caller gets the error.
        asked.catch(() => forget(asked));
        return asked;
    };
    return { get, refuse: forget };
}
/**
 * The header of a token, unless the signal is aborted first.
 * @throws TypeError if fetch would refuse the header, in an error that shows the token
 */
export async function authorizationOf(token, signal) {
    const given = await new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        token.then(resolve, reject);
    });
    const header = `Bearer ${given}`.trim();
    if (/[^ -~]/.test(header))
        throw new TypeError("`token` must be visible ASCII.");
    return header;
}
