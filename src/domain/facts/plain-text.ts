import { normalizeText } from "#core/text/normalize";
import { words } from "./languages.ts";

/** UTF-16 units of a message that are read, from its beginning. */
export const MAX_CHARACTERS = 64_000;

const FAVOURITE = new RegExp(words("mentions"), "iu");
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const FULL_WIDTH_SHIFT = 0xfee0;
const KEYCAP = /(\d)\ufe0f?\u20e3|\u{1f51f}/gu;
const CIRCLED = /[\u2460-\u2473]/g;
const CIRCLED_ZERO = 0x245f;

/**
 * A message as it is read for lists: without code, quoted messages, markup and citations, with single spaces and all numeric markers as
 * "1) ". Quotation marks are `"`; a quotation that mentions favourites is replaced by U+FFFC.
 */
export function plainText(text: string): string {
  return unquoted(unmarked(characters(text.slice(0, MAX_CHARACTERS))))
    .replace(/(?<! ) *\n */g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function characters(text: string): string {
  return normalizeText(text, "NFC")
    .replace(/\r\n?|\u2028/g, "\n")
    .replace(KEYCAP, (_, digit: string | undefined) => ` ${digit ?? "10"}) `)
    .replace(CIRCLED, (circled) => ` ${circled.charCodeAt(0) - CIRCLED_ZERO}) `)
    .replace(FULL_WIDTH, (wide) => String.fromCharCode(wide.charCodeAt(0) - FULL_WIDTH_SHIFT))
    .replace(/[\u200b\u2060\ufeff\u00ad]+/g, "")
    .replace(/[\u2018\u2019\u02bc\u00b4`](?=\p{L})/gu, (mark) => (mark === "`" ? mark : "'"))
    .replace(/[“”„«»「」『』]/g, '"')
    .replace(/[^\S\n]+/g, " ");
}

function unmarked(text: string): string {
  return text
    .replace(/```[^`]*(?:`(?!``)[^`]*)*(?:```|$)/g, "\n")
    .replace(/\[M?\d{1,3}(?:, ?M?\d{1,3})*\](?=\s*[A-Za-z#])(?<=^ ?\[\d+\])/gm, (marker) => `${marker.replace(/\D/g, "")}) `)
    .replace(/ ?(?:\[\^?M?\d{1,3}(?:, ?M?\d{1,3})*\]|【[^】\n]{0,40}】)/g, "")
    .replace(/^ ?>.*$/gm, "\ufffc")
    .replace(/\[([^[\]\n]{1,100})\]\([^()\s]{1,500}\)/g, "$1")
    .replace(/<br ?\/?>/gi, "\n")
    .replace(/<\/?[a-z]{1,10}>/gi, "")
    .replace(/~~[^~\n]{0,200}~~/g, "")
    .replace(/^ ?\| ?#?(\d{1,2})[.)]? ?\| ?([^|\n]*)\|.*$/gm, "$1) $2")
    .replace(/^ ?#{1,6} +/gm, "")
    .replace(/^ ?[-*•] (?=\(?\d{1,2}[.):])/gm, "")
    .replace(/([^\n#])#{2,6} +/g, "$1")
    .replace(/\*\*|__|(?<=\s|^)[*_](?=[^\s*_])|(?<=[^\s*_])[*_](?=\W|$)/gm, "");
}

function unquoted(text: string): string {
  return text
    .replace(/"([^"\n]{0,600})"/g, (whole, inner: string) => (FAVOURITE.test(inner) ? "\ufffc" : whole))
    .replace(/(?<![\p{L}\p{N}])'([^\n]{0,600}?)'(?![\p{L}\p{N}])/gu, (whole, inner: string) =>
      FAVOURITE.test(inner) ? "\ufffc" : whole,
    )
    .replace(/`([^`\n]{0,300})`/g, (_, inner: string) => (FAVOURITE.test(inner) ? "\ufffc" : inner));
}
