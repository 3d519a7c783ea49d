import { OPERATIONS } from "./generated/operations.ts";
import { parseOperation } from "./operation.ts";
import { createSender } from "./send.ts";
const PLATFORM = {
    now: Date.now,
    random: Math.random,
    // Unlike randomUUID, this is there on pages without https.
    newKey: () => crypto.getRandomValues(new Uint32Array(4)).join("-"),
    wait: (ms, signal) => new Promise((resolve) => {
        const end = () => {
            clearTimeout(timer);
            signal?.removeEventListener("abort", end);
            resolve();
        };
        const timer = setTimeout(end, ms);
        signal?.addEventListener("abort", end);
    }),
};
/**
 * A client of one Edgewise service with one credential.
 * @example
 * const edgewise = new Edgewise({ baseUrl: "http://127.0.0.1:8787", token: key });
 * await edgewise.memories.add({ userId: "alice", content: "I am allergic to peanuts." });
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the table and the interface are written by the same program.
export class Edgewise {
    #sender;
    constructor(options) {
        this.#sender = createSender(options, PLATFORM);
        Object.assign(this, methodsOf(OPERATIONS, this.#sender.send));
    }
    /** The state of the database that this client has seen. Give it to another client, and that one sees what this one wrote. */
    get bookmark() {
        return this.#sender.bookmark;
    }
    set bookmark(bookmark) {
        this.#sender.bookmark = bookmark;
    }
    /** Whether the service answers, within 3 seconds unless said otherwise. It never throws. */
    async isAvailable({ timeoutMs = 3_000 } = {}) {
        return await this.health.get({}, { timeoutMs, maxRetries: 0 }).then(({ status }) => status === "ok", () => false);
    }
}
function methodsOf(table, send, group = "") {
    const methods = Object.entries(table).map(([name, entry]) => {
        if (typeof entry !== "string")
            return [name, methodsOf(entry, send, name)];
        const operation = parseOperation(group || name, entry);
        return [
            name,
            (input = {}, options = {}) => toCall((page) => send(operation, { ...input, ...page }, options)),
        ];
    });
    return Object.fromEntries(methods);
}
/** A promise of the data that can also be iterated: over the items of all pages, or the parts of a stream. The request is sent at once. */
function toCall(send) {
    const answer = send({});
    const data = answer.then((each) => each.data);
    // Whoever reads the answer in another way gets the error there.
    const handled = () => void data.catch(() => undefined);
    return Object.assign(data, {
        withResponse: () => {
            handled();
            return answer;
        },
        [Symbol.asyncIterator]: () => {
            handled();
            return iterate(answer, send);
        },
    });
}
async function* iterate(first, send) {
    let { data } = await first;
    if (isIterable(data))
        return yield* data;
    for (;;) {
        const { items, nextCursor } = data;
        yield* items;
        if (nextCursor === null)
            return;
        ({ data } = await send({ cursor: nextCursor }));
    }
}
function isIterable(data) {
    return Symbol.asyncIterator in Object(data);
}
