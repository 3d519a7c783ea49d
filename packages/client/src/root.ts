/**
 * The address of the service without slashes and `/v1` at its end: OpenAI's clients want `/v1` there, this one adds it.
 * @throws TypeError if it is no address
 */
export function rootOf(baseUrl: string): string {
  if (!/^https?:\/\/[^\s/?#][^\s?#]*$/i.test(baseUrl)) {
    throw new TypeError("`baseUrl` is missing, or no address such as http://127.0.0.1:8787.");
  }
  return baseUrl.replace(/(?<=[^:/])(\/+v1)?\/*$/, "");
}
