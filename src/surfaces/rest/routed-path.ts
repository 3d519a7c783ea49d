import { getPath } from "hono/utils/url";

const MODEL = "/v1/models/";

/**
 * The path by which a request is routed. The name of a model may contain slashes (`openai/gpt-5-mini`), which are encoded here as OpenAI's
 * clients encode them, so that the name is one segment.
 */
export function routedPath(request: Request): string {
  const path = getPath(request);
  return path.startsWith(MODEL) ? MODEL + path.slice(MODEL.length).replaceAll("/", "%2F") : path;
}
