/** How an answer may come; `either` for a client that names both, as the specification asks of it. */
export type AnswerForm = "json" | "events" | "either";

const JSON_TYPE = "application/json";
const EVENTS_TYPE = "text/event-stream";
/** What the transport demands of every client. */
export const BOTH_FORMS = `${JSON_TYPE}, ${EVENTS_TYPE}`;

/** The form that an `accept` header asks for. One that names neither, or anything, is answered with JSON. */
export function formOf(accept: string | null): AnswerForm {
  const types = (accept ?? "").split(",").flatMap((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    return parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)) ? [] : [type];
  });
  const takes = (type: string, group: string) => types.includes(type) || types.includes(group);
  const [json, events] = [takes(JSON_TYPE, "application/*"), takes(EVENTS_TYPE, "text/*")];
  if (json === events) return json ? "either" : "json";
  return json ? "json" : "events";
}

/** The transport's answer, a stream of one message or JSON, in the form that the client takes. An error of HTTP stays as it is. */
export async function inForm(answer: Response, form: AnswerForm): Promise<Response> {
  const type = answer.headers.get("content-type") ?? "";
  const isEvents = type.startsWith(EVENTS_TYPE);
  if (!answer.ok || form === "either" || type === "" || isEvents === (form === "events")) return answer;
  const text = await answer.text();
  const headers = new Headers(answer.headers);
  headers.set("content-type", isEvents ? JSON_TYPE : EVENTS_TYPE);
  return new Response(isEvents ? lastMessage(text) : `event: message\ndata: ${text}\n\n`, { status: answer.status, headers });
}

/** What is before the last message is progress, for which JSON has no place. */
function lastMessage(events: string): string {
  return [...events.matchAll(/^data: ?(.+)$/gm)].at(-1)?.[1] ?? "";
}
