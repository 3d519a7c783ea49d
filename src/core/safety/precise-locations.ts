import { type Occurrence, occurrences } from "./labelled.ts";

/** Four decimals of a degree are about 11 metres, the size of a house. */
const LATITUDE = "[-+]?\\d{1,2}\\.\\d{4,15}";
const LONGITUDE = "[-+]?\\d{1,3}\\.\\d{4,15}";
const PAIR = new RegExp(
  `(?<![\\d.])(?<value>(?:[NS]\\s?)?(?<latitude>${LATITUDE})(?<north>\\s?°?\\s?[NS]?)(?<between>\\s?[,;/]\\s?|\\s|%2C)(?<axis>(?:lon|lng|long|longitude)[:=\\s]{1,2})?(?:[EWO]\\s?)?(?<longitude>${LONGITUDE})(?<east>\\s?°?\\s?[EWO]?))(?!\\.?\\d|\\p{Script=Latin}|\\p{Script=Cyrillic})`,
  "dgu",
);
const ABOUT_PLACE =
  /coord|koord|gps|\blat|\blon|\blng|geo|location|locat|ubicaci|posi[ctz]i|standort|\bpin\b|\bmap|maps|karte|latitud|coörd|współrz|координат|坐标|座標|位置|निर्देशांक|إحداثي|(?<!\p{L})(?:live|lives|living|home|house|meet|met|park(?:ed)?|camp\p{L}*|cabin|cottage|buried|hidden|stash|wohn|treff\p{L}*|zuhause|casa|maison|chalet|stuga\p{L}*|dom|дом|дача|家|घर|منزل)(?!\p{L})/iu;

const SEXAGESIMAL =
  /(?<value>\d{1,2}\s?°\s?\d{1,2}(?:\.\d{2,6})?\s?'\s?(?:\d{1,2}(?:[.,]\d{1,6})?\s?(?:"|'')\s?)?[NS][\s,;/]{0,3}\d{1,3}\s?°\s?\d{1,2}(?:\.\d{2,6})?\s?'\s?(?:\d{1,2}(?:[.,]\d{1,6})?\s?(?:"|'')\s?)?[EWO])/dgu;
/** what3words.com/about: three words for a square of three metres, after three slashes or named. */
const THREE_WORDS =
  /(?<![\p{L}\p{N}:/])\/\/\/(?<value>[\p{L}\p{M}]{2,24}\.[\p{L}\p{M}]{2,24}\.[\p{L}\p{M}]{2,24})(?!\p{L}|\.\p{L})|(?:w3w\.co\/|what3words(?:\.com\/|[^.\n]{0,30}?[\s:"']))(?<named>[\p{L}\p{M}]{2,24}\.[\p{L}\p{M}]{2,24}\.[\p{L}\p{M}]{2,24})(?!\p{L}|\.\p{L})/giu;
/** Open Location Code, complete or without its first four digits and with a town (github.com/google/open-location-code). */
const PLUS_CODE =
  /(?<![\p{L}\p{N}+])(?<value>[23456789C][23456789CFGHJMPQRV][23456789CFGHJMPQRVWX]{6}\+[23456789CFGHJMPQRVWX]{2,3}|(?=\p{L}*\d)[23456789CFGHJMPQRVWX]{4}\+[23456789CFGHJMPQRVWX]{2,3}(?=,?\s\p{Lu}\p{L}{2}))(?![\p{L}\p{N}+])/dgu;

export function findPreciseLocations(text: string): Occurrence[] {
  return [
    ...occurrences(PAIR, text, pairIdentity),
    ...occurrences(SEXAGESIMAL, text),
    ...occurrences(THREE_WORDS, text, ({ groups = {} }) => (groups.value ?? groups.named ?? "").toLowerCase()),
    ...occurrences(PLUS_CODE, text),
  ];
}

/** Two numbers with four decimals are a location only with a direction, a degree sign, a map's address or a word about places near them. */
function pairIdentity({ groups = {}, index, input }: RegExpExecArray): string | undefined {
  const { latitude = "", longitude = "", north = "", east = "", between = "", axis = "", value = "" } = groups;
  if (Math.abs(Number(latitude)) > 90 || Math.abs(Number(longitude)) > 180) return undefined;
  const marked = /[NS°]/.test(north + value.charAt(0)) && /[EWO°]/.test(east + value);
  const near = input.slice(Math.max(0, index - 80), index + value.length + 60);
  if (!marked && axis === "" && between.trim() === "") return undefined;
  if (!marked && !/[@=]$/.test(input.slice(0, index)) && !ABOUT_PLACE.test(near)) return undefined;
  return `${Number(latitude).toFixed(4)},${Number(longitude).toFixed(4)}`;
}
