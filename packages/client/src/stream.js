import { fieldsOf, toError } from "./answer.ts";
import { EdgewiseConnectionError } from "./errors.ts";
const BROKEN = "The connection broke before the end.";
const LAST_EVENT = /^(error|response\.(completed|incomplete|failed))$/;
/** The lines of an answer, as they arrive. Ending the loop early closes the connection. */
export async function* readLines({ body }, signal) {
    if (body === null)
        return;
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    try {
        for (;;) {
            const { done, value = "" } = await reader.read();
            const lines = (rest + value).split("\n");
            rest = done ? "" : (lines.pop() ?? "");
            for (const line of lines)
                if (!done || line !== "")
                    yield line.replace(/\r$/, "");
            if (done)
                return;
        }
    }
    catch (cause) {
        signal?.throwIfAborted();
        throw new EdgewiseConnectionError(BROKEN, { cause });
    }
    finally {
        await reader.cancel().catch(() => undefined);
    }
}
/**
 * The data of server-sent events, parsed. `[DONE]` ends them, or the last event of the Responses API, whose streams may have no `[DONE]`. A
 * model server that fails in the middle of its answer sends the error as an event.
 * @throws EdgewiseConnectionError if they end otherwise: what has arrived is not the whole answer
 */
export async function* readEvents(response, signal) {
    let data = "";
    let isWhole = false;
    for await (const line of readLines(response, signal)) {
        if (/^data: ?\[DONE\]/.test(line))
            return;
        if (line.startsWith("data:"))
            data += `${line.slice(5)}\n`;
        if (line !== "" || data === "")
            continue;
        let event;
        try {
            event = JSON.parse(data);
        }
        catch {
            break;
        }
        const { error, type } = fieldsOf(event);
        if (error)
            throw toError(response, event, 0);
        isWhole = LAST_EVENT.test(String(type));
        yield event;
        data = "";
    }
    // Without a `cause`: that of JSON.parse has a part of the answer.
    if (!isWhole || data !== "")
        throw new EdgewiseConnectionError(BROKEN);
}
