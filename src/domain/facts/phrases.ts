import { CARDINAL } from "./ordinals.ts";
import { HAN_LETTERS, LETTERS } from "./plain-text.ts";

// Sources of patterns over a normalized text (see plain-text.ts): how each language says "my favorite …" and connects it to the values.

export const FAV = "(?:fav(?:ou?rite?|rite|orate|roite|e)?s?)";
export const TOP = `(?:top[ -]?${CARDINAL})`;
export const NUMBER = "(?:#|number[ -]|num |no\\.? ?|nr\\.? ?|nummer |numero |n[°º] ?)";
export const EDGE = `(?<![${LETTERS}\\d'])`;

export const STOP_EN =
  "(?:are|r|is|was|were|be|isn't|aren't|isnt|arent|wasn't|weren't|and|or|of|in|on|for|to|from|with|by|at|as|right|now|currently|these|so|ranked|ranking|ordered|ever|atm|rn|used|would|will|could|might|should|may|has|have|had|that|which|who|when|because|then|list|number|not|never|my|go|goes|again|please|pls|though|fyi|btw|imo|imho|tbh|lol|honestly|too|also|anyway|today|tomorrow|yesterday|last|this|next|since|before|after|even|only|just|still|here|there|during|according|like|about|between|without|behind|than|per|you|your|his|her|their|our|it|what|called|if|do|does|did|changed|became)";
export const WORD_EN = `[${LETTERS}\\d][${LETTERS}\\d&+-]{0,40}(?:'[sS](?= [${LETTERS}]))?`;
/** As short as the rest of the pattern allows; `isNounPhrase` then checks it. */
export const NOUN_EN = `(?<noun>${WORD_EN}(?: ${WORD_EN}){0,6}?)`;
const NO_NOUN_EN = new RegExp(`^${STOP_EN}$`);

/** Whether an English phrase has no word that ends a noun phrase: "types of candy" is one, "color is" is not. */
export function isNounPhrase(phrase: string): boolean {
  return !phrase
    .split(" ")
    .some((word, i, words) => NO_NOUN_EN.test(word) && !(word === "of" && i > 0 && words[i + 1] !== "all"));
}
export const MODS_EN = `(?:(?:all[- ]time|absolute|own|personal|current|new|overall|very|ultimate|ranked|updated|full|complete|list of|ranking of|ranked list of|(?<count>${TOP}|${CARDINAL})) ){0,4}`;
export const ORDER_EN =
  "(?:in order(?: of (?:preference|liking|importance))?|in (?:this|that|ranked|descending) order|ranked(?: in order)?|ranking|from (?:best|most|favou?rite|first|top) to (?:worst|least|last|bottom)|best first)";
export const QUAL_EN = `(?: ?[,(]? ?(?:of all[- ]time|ever|right now|at the moment|currently|these days|so far|now|atm|rn|list|${ORDER_EN})\\)?,?){0,2}`;
export const FILL_EN = `(?:,? (?:now|currently|still|as follows|the following|these|definitely|probably|actually|officially|basically|always|easily|clearly|obviously|\\(?${ORDER_EN}\\)?)){0,3}`;
export const LINK = `(?: ?(?:[:=]{1,8}|-{1,8}>|=>|→)[ \\n]{0,20}| [–—-] |\\n{1,2}| (?=\\(?1[.):\\]]|#1|1 |•)|(?=•))`;
export const VERB_EN = `(?:,? (?:are|is|r|have always been|has always been|(?:would |will )?(?:have|has) to be|must be|go|goes like this|go like this)|'s|'re)(?![${LETTERS}'])(?! (?:not|never|no longer|neither|being)(?![${LETTERS}]))${FILL_EN}[ ,:;-]{0,20}\\n{0,2}`;
export const IS_EN = `(?:,? (?:is|are|has changed to|changed to|became|would definitely be)|'s| ?[:=])(?![${LETTERS}'])(?! (?:not|never|no longer)(?![${LETTERS}]))${FILL_EN}[ :]{0,20}`;

export const STOP_DE = "(?:sind|ist|waren|war|nicht|und|oder|von|fur|im|in|lauten|heissen|der|die|das|bei|zu)";
export const WORD_DE = `(?!${STOP_DE}(?![${LETTERS}]))[${LETTERS}][${LETTERS}-]{0,60}`;
export const MEIN = "mein(?:e[nrsm]?)?";
export const MODS_DE = `(?:(?:absolut\\w{0,3}|aktuell\\w{0,3}|personlich\\w{0,3}|neu\\w{0,3}|(?<count>${TOP}|${CARDINAL})) ){0,3}`;
export const ORDER_DE =
  "(?:der reihe nach|in dieser reihenfolge|in absteigender reihenfolge|in reihenfolge|nach rang|geordnet|sortiert)";
export const QUAL_DE = `(?: ?[,(]? ?(?:aller zeiten|zurzeit|momentan|derzeit|gerade|aktuell|${ORDER_DE})\\)?,?){0,2}`;
export const FILL_DE = `(?:,? (?:jetzt|aktuell|momentan|derzeit|immer noch|folgende|diese|wohl|eindeutig|ubrigens|${ORDER_DE})){0,3}`;
export const VERB_DE = ` (?:sind|ist|lauten|heissen)(?![${LETTERS}])(?! (?:nicht|nie|kein))${FILL_DE}[ ,:]{0,20}\\n{0,2}`;

export const WORD_ES = `(?!(?:y|o|que|no|son|es|eran?|para|si)(?![${LETTERS}]))[${LETTERS}][${LETTERS}-]{0,40}`;
export const NOUN_ES = `(?<noun>${WORD_ES}(?: ${WORD_ES}){0,3}?)`;
export const FAV_ES = "(?:favorit[oa]s?|preferid[oa]s?|favs?)";
export const COUNT = `(?:(?<count>${TOP}|${CARDINAL}) )?`;
export const ORDER_ES = "(?:en orden(?: de preferencia)?|en este orden|por orden(?: de preferencia)?|ordenad[oa]s)";
export const QUAL_ES = `(?: ?[,(]? ?(?:de todos los tiempos|ahora|actualmente|por ahora|${ORDER_ES})\\)?,?){0,2}`;
export const VERB_ES = ` (?:son|es)(?![${LETTERS}])(?! no )(?:,? (?:ahora|actualmente|los siguientes|las siguientes|estos|estas|${ORDER_ES})){0,2}[ ,:]{0,20}\\n{0,2}`;

export const WORD_FR = `(?!(?:et|ou|que|ne|sont|est|etaient|etait|pour|si)(?![${LETTERS}]))(?:[ld]')?[${LETTERS}][${LETTERS}-]{0,40}`;
export const NOUN_FR = `(?<noun>${WORD_FR}(?: ${WORD_FR}){0,3}?)`;
export const FAV_FR = "(?:preferee?s?|favori(?:te)?s?)";
export const ORDER_FR = "(?:dans l'ordre(?: de preference)?|dans cet ordre|par ordre(?: de preference)?|classee?s)";
export const QUAL_FR = `(?: ?[,(]? ?(?:de tous les temps|en ce moment|actuellement|${ORDER_FR})\\)?,?){0,2}`;
export const VERB_FR = `(?: (?:sont|est)|,? c'est)(?![${LETTERS}])(?! pas)(?:,? (?:maintenant|actuellement|les suivante?s|${ORDER_FR})){0,2}[ ,:]{0,20}\\n{0,2}`;

export const HAN = `(?:(?!是|为|有|依|按|的|不|吗|呢|最|排|第|都|叫|分别|列|也|还)[${HAN_LETTERS}])`;
export const COUNT_ZH = "(?:前?(?<count>\\d{1,2}|[一二三四五六七八九十两兩])[种種个個部本款首位样樣名]?)?";
export const LIKE_ZH = "(?:喜[欢歡]|[爱愛]|中意)";
export const VERB_ZH =
  "(?: ?(?:列表|排名|排行|清单)?(?:(?:依次|按顺序|按順序|从高到低|從高到低|顺序|排序|排名)?(?:是|为|如下|有)(?!不)[ :,]*|(?:依次|按顺序)?[ ]?:)\\n{0,2}|(?=第一|1)|\\n{1,2})";
