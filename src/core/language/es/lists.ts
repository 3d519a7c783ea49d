import { cardinal, EDGE, LETTERS, LINK, type ListWords, ordinal } from "#core/language/list-words";
import { spanishPlural } from "./nouns.ts";

const ORDINALS = [
  "primer(?:[oa]|amente)?",
  "segund[oa]",
  "tercer[oa]?",
  ..."cuart quint sext septim octav noven decim".split(" ").map((stem) => `${stem}[oa]`),
];
const FIGURES = "\\d{1,2}\\.?(?:º|ª|[oa]|er|r[oa]|d[oa]|t[oa]|m[oa]|v[oa]|n[oa])";
const ORDINAL = ordinal(ORDINALS, FIGURES);
const CARDINALS = "un[oa]? dos tres cuatro cinco seis siete ocho nueve diez once doce".split(" ");
const CARDINAL = cardinal(CARDINALS);
const TOP = `(?:top[ -]?${CARDINAL})`;
const NUMBER = "(?:#|numero |n[°º] ?)";
const WORD_ES = `(?!(?:y|o|que|no|son|es|eran?|para|si)(?![${LETTERS}]))[${LETTERS}][${LETTERS}-]{0,40}`;
const NOUN_ES = `(?<noun>${WORD_ES}(?: ${WORD_ES}){0,3}?)`;
const FAV_ES = "(?:favorit[oa]s?|preferid[oa]s?|favs?)";
const COUNT = `(?:(?<count>${TOP}|${CARDINAL}) )?`;
const ORDER_ES = "(?:en orden(?: de preferencia)?|en este orden|por orden(?: de preferencia)?|ordenad[oa]s)";
const QUAL_ES = `(?: ?[,(]? ?(?:de todos los tiempos|ahora|actualmente|por ahora|${ORDER_ES})\\)?,?){0,2}`;
const VERB_ES = ` (?:son|es)(?![${LETTERS}])(?! no )(?:,? (?:ahora|actualmente|los siguientes|las siguientes|estos|estas|${ORDER_ES})){0,2}[ ,:]{0,20}\\n{0,2}`;

const RANK_ES = `(?<rank>${ORDINAL}|ultim[oa])`;
const NUMBERED = `(?<rank>${NUMBER}${CARDINAL})`;
const WHAT_ES = "(?:(?:cual|que) (?:es|era|fue) |dime (?:cual es )?|recuerdame (?:cual es )?|nombra |dame )";
const LIST_VERB =
  "(?:(?:(?:cuales|que) (?:son|eran) |(?:enumera|enumerame|lista|listame|muestra|muestrame|dime|dame|nombra|ensename|recuerdame|(?:quiero|quisiera) ver) )(?:cuales son )?(?:(?:la |una )?lista (?:completa )?(?:de|con) )?(?:todos |todas )?|(?:la )?lista de (?:todos |todas )?)";

export const SPANISH_LISTS: ListWords = {
  ordinals: ORDINALS,
  figures: FIGURES,
  cardinals: CARDINALS,
  numbers: NUMBER,
  intros: [
    { form: "list", source: `${EDGE}mis? ${COUNT}${NOUN_ES} ${FAV_ES}${QUAL_ES}(?:${VERB_ES}|${LINK})` },
    {
      form: "list",
      knownOnly: true,
      source: `${EDGE}mi (?<count>${TOP}) (?:de )?(?<noun>${WORD_ES}(?: ${WORD_ES}){0,2})${QUAL_ES}(?:${VERB_ES}|${LINK})`,
    },
    { form: "single", source: `${EDGE}mi (?<rank>${ORDINAL}) ${NOUN_ES} ${FAV_ES}(?:${VERB_ES}| ?: )` },
    { form: "single", source: `${EDGE}mi ${NOUN_ES} ${FAV_ES} (?<rank>${NUMBER}${CARDINAL})(?:${VERB_ES}| ?: )` },
    { form: "backward", source: ` (?:es|son) (?:ahora )?mi (?<rank>${ORDINAL}) ${NOUN_ES} ${FAV_ES}` },
    { form: "backward", source: ` (?:es|son) (?:ahora )?mi ${NOUN_ES} ${FAV_ES}` },
  ],
  questions: [
    { ask: "rank", source: `${WHAT_ES}mi ${RANK_ES} ${NOUN_ES} ${FAV_ES}` },
    { ask: "rank", source: `${WHAT_ES}mi ${NOUN_ES} ${FAV_ES} ${NUMBERED}` },
    { ask: "rank", bare: true, source: `mi ${RANK_ES} ${NOUN_ES} ${FAV_ES}(?:,? cual (?:es|era))?` },
    { ask: "rank", knownOnly: true, source: `(?:que|cual) (?<noun>${WORD_ES}) (?:es|era) mi ${NUMBERED}` },
    { ask: "rank", source: `(?:que|cual) (?<noun>${WORD_ES}) (?:es|era) mi ${RANK_ES} ${FAV_ES}` },
    { ask: "list", source: `${LIST_VERB}mis (?:(?:${TOP}|${CARDINAL}) )?${NOUN_ES} ${FAV_ES}` },
    { ask: "list", source: `(?:que|cuales) ${NOUN_ES} (?:son|eran) mis ${FAV_ES}` },
    { ask: "list", bare: true, source: `mis (?:(?:${TOP}|${CARDINAL}) )?${NOUN_ES} ${FAV_ES}` },
  ],
  followUps: [
    { ask: "rank", source: `(?:y|cual (?:es|era|fue)|y cual (?:es|era)) (?:el|la) ${RANK_ES}` },
    { ask: "rank", bare: true, source: `(?:el|la) ${RANK_ES}` },
    { ask: "list", source: "(?:enumera|lista|muestrame|dime)l[oa]s(?: todos| todas)?" },
  ],
  cue: "\\bmis? ",
  questionCue: "favorit|preferid|\\bmi ",
  followUpCue: "\\b(?:el|la|l[oa]s)\\b|l[oa]s$|\\bnumero\\b",
  favourite: "preferid",
  mentions: "preferid",
  mine: "pr[eé]ferid|\\bmis?\\b",
  order: ORDER_ES,
  is: "es|son",
  and: "y",
  rankWords: "numero |n[°º] ?|puesto ",
  beforeOrdinal: "el |la |en ",
  afterOrdinal: " lugar",
  clauseStart: "yo|mi",
  or: "o(?= )",
  next: "luego|despues|seguid[oa]s? (?:del?|por)|por ultimo|finalmente",
  comes: "viene|el|la",
  firstly: "primero|en primer lugar",
  inOrder: "en (?:ese|este) orden",
  otherwise: "pero|y (?:mi|mis|yo)",
  placed: { before: "(?:es )?(?:en )?", last: "al final", after: " lugar" },
  aside: "porque|pero|aunque|mientras|y mis?|cuando",
  insteadOf: "en lugar de|en vez de",
  noise: "y|luego|jaja{1,20}|jeje{1,20}|y (?:nada mas|ya|ya esta)|y nada más|nada más",
  leading: "es|son",
  noValue: "nada|ninguno",
  notAValue: "^no es |preferid|favori",
  clauseWords: "y|pero|creo que|que",
  joins: "y",
  remarks: "hola|bueno|si",
  article: "(?:el|la|los|las) ",
  courtesy: "hola|gracias|por favor",
  greetings: "hola|oye|y|por favor|una pregunta",
  asking:
    "te acuerdas de|recuerdas|sabes|(?:puedes|podrias)(?: (?:decirme|recordarme|darme|listar(?:me)?|mostrarme|enumerar))?|me (?:dices|recuerdas)",
  trailing: "por favor|gracias|ahora|en orden",
  please: "por favor",
  requests: "(?:escribe|explica|imagina)",
  last: "ultim",
  of: "de",
  headFirst: true,
  plural: spanishPlural,
  topics: {
    favorite_colors: "color, colores",
    favorite_cryptos: "cripto, criptos, criptomoneda, criptomonedas, criptodivisa, criptodivisas",
    favorite_tv:
      "serie de tv, series de tv, serie de televisión, series de televisión, programa de tv, programas de tv, programa de televisión, programas de televisión, serie televisiva, series televisivas",
    favorite_candies: "dulce, dulces, golosina, golosinas, caramelo, caramelos, chuchería, chucherías, chuche, chuches",
  },
  askedFor: "(?<!\\p{L})(?:son|es|eran?|dime|lista) ?$",
  others:
    "(?<![\\p{L}'])(?:lista|respuesta|mensaje) de (?!mis? (?:favorit|prefer))[^.!?]*$|(?<![\\p{L}'])mi (?:amigo|amiga|hermano|hermana|madre|padre) ?: ?$",
  takenBack: "(?:es broma|mentira)",
  saidAfter: "dijo",
};
