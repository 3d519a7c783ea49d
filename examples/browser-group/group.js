/**
 * A group chat from a page, with the browser's own `fetch`. The token says who speaks: no message names anybody.
 *
 * @param {{ edgewiseUrl: string, sessionId: string, getToken: () => Promise<string>, fetch?: typeof fetch }} options
 */
export function openGroup({ edgewiseUrl, sessionId, getToken, fetch = globalThis.fetch }) {
  /** @type {string | undefined} */
  let token;

  // A token lasts for minutes. When it has expired, the answer is 401, and the page asks for another.
  async function edgewise(method, path, body, isRetry = false) {
    token ??= await getToken();
    const answer = await fetch(`${edgewiseUrl}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (answer.status === 401 && !isRetry) {
      token = undefined;
      return await edgewise(method, path, body, true);
    }
    const result = await answer.json();
    if (!answer.ok) throw new Error(result.detail);
    return result;
  }

  const session = `/sessions/${encodeURIComponent(sessionId)}`;
  return {
    /** Stores what the user says; the id makes a repeated request harmless. */
    say: async (content, messageId = crypto.randomUUID()) =>
      await edgewise("POST", `${session}/episodes`, {
        messages: [{ role: "user", content, messageId, occurredAt: localTime() }],
      }),
    /** Stores what the assistant answered. */
    answered: async (content, messageId = crypto.randomUUID()) =>
      await edgewise("POST", `${session}/episodes`, { messages: [{ role: "assistant", content, messageId }] }),
    /** The latest messages: `userId` says who said each. */
    history: async () => (await edgewise("GET", `${session}/episodes?limit=100`)).items.flatMap(({ messages }) => messages),
    /** What the model should know before it answers in the group. */
    context: async (query) => (await edgewise("POST", "/context", { query, sessionId })).block,
    /** Anything else, as docs/ has it. */
    edgewise,
  };
}

/** Now with the browser's offset, so that "yesterday" means the day where it was said. `toISOString` would say UTC. */
export function localTime(now = new Date()) {
  const ahead = -now.getTimezoneOffset();
  const two = (value) => String(Math.floor(Math.abs(value))).padStart(2, "0");
  const local = new Date(now.getTime() + ahead * 60_000).toISOString().slice(0, -1);
  return `${local}${ahead < 0 ? "-" : "+"}${two(ahead / 60)}:${two(ahead % 60)}`;
}
