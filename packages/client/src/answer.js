import { EdgewiseError } from "./errors.ts";
import { retryAfterMs } from "./retry.ts";
/**
 * The error of an answer, whoever gave it: the service, a model server behind it (as OpenAI describes errors), or a server on the way, which
 * may have anything in these fields.
 */
export function toError({ status, headers }, json, now) {
    const { code, detail, fields, error } = fieldsOf(json);
    const foreign = fieldsOf(error);
    return new EdgewiseError({
        status,
        code: firstText(code, foreign.code) ?? "unexpected_answer",
        detail: firstText(detail, foreign.message) ??
            `Not an answer of Edgewise: status ${status}, ${headers.get("content-type")}. Redirects are not followed. Check \`baseUrl\`.`,
        requestId: headers.get("x-request-id"),
        fields: [fields].flat().filter(isFieldError),
        retryAfterMs: retryAfterMs(headers, now),
    });
}
/** The fields of an object; none of anything else. */
export function fieldsOf(json) {
    return Object(json);
}
function firstText(...values) {
    return values.find((value) => typeof value === "string");
}
function isFieldError(value) {
    const { path, message } = fieldsOf(value);
    return [path, message].every((text) => typeof text === "string");
}
