/**
 * A path that is empty or begins with a slash continues the group's.
 * @example
 * parseOperation("memories", "POST! /{memoryId}/restore?userId,sessionId")
 */
export function parseOperation(group, line) {
    const [, method = "", mark = "", path = "", query = ""] = /^(\w+)([!~-]?) ?([^?]*)\??(.*)/.exec(line) ?? [];
    return { method, mark, path: /^[^/]/.test(path) ? path : group + path, query: query.split(",") };
}
/** Puts each field of the input where the operation wants it: path, query, header or body. Fields that are undefined are absent. */
export function toRequest({ method, path, query, mark }, input) {
    const rest = { ...input };
    const take = (name) => {
        const value = rest[name];
        delete rest[name];
        return value === undefined || value === null ? undefined : String(value);
    };
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
        const value = take(name) ?? "";
        // Instead of these, fetch would send another address.
        if (/^\.{0,2}$/.test(value))
            throw new TypeError(`\`${name}\` is missing, or no id.`);
        return encodeURIComponent(value);
    });
    const headers = {};
    for (const name of mark === "~" ? PLACE : []) {
        const value = take(name);
        if (value !== undefined)
            headers[`x-edgewise-${name.replace("Id", "")}`] = encodeURIComponent(value);
    }
    const search = new URLSearchParams();
    for (const name of method === "GET" || method === "DELETE" ? Object.keys(rest) : query) {
        const value = take(name);
        if (value !== undefined)
            search.set(name, value);
    }
    const body = JSON.stringify(rest);
    return { method, path: filled, search: String(search), headers, body: body === "{}" ? null : body };
}
/** Fields of an operation whose body belongs to somebody else, and that its headers carry, as `x-edgewise-user`. */
const PLACE = ["userId", "sessionId", "projectId", "workspaceId", "memory"];
