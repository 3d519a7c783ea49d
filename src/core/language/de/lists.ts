import { cardinal, EDGE, LETTERS, LINK, type ListWords, ordinal } from "#core/language/list-words";
import { germanForm } from "./nouns.ts";

const ORDINALS = "erst zweit dritt viert funft sechst sieb(?:en)?t acht neunt zehnt elft zwolft"
  .split(" ")
  .map((stem) => `${stem}e(?:[nrsm]|ns)?`);
const FIGURES = "\\d{1,2}\\.(?!\\d)";
const ORDINAL = ordinal(ORDINALS, FIGURES);
const CARDINALS = "eins?|eine zwei drei vier funf sechs sieben acht neun zehn elf zwolf".split(" ");
const CARDINAL = cardinal(CARDINALS);
const TOP = `(?:top[ -]?${CARDINAL})`;
const NUMBER = "(?:#|nummer |nr\\.? ?)";
const STOP_DE = "(?:sind|ist|waren|war|nicht|und|oder|von|fur|im|in|lauten|heissen|der|die|das|bei|zu)";
const WORD_DE = `(?!${STOP_DE}(?![${LETTERS}]))[${LETTERS}][${LETTERS}-]{0,60}`;
const MEIN = "mein(?:e[nrsm]?)?";
const MODS_DE = `(?:(?:absolut\\w{0,3}|aktuell\\w{0,3}|personlich\\w{0,3}|neu\\w{0,3}|(?<count>${TOP}|${CARDINAL})) ){0,3}`;
const ORDER_DE = "(?:der reihe nach|in dieser reihenfolge|in reihenfolge)";
const QUAL_DE = `(?: ?[,(]? ?(?:aller zeiten|zurzeit|momentan|derzeit|gerade|aktuell|${ORDER_DE})\\)?,?){0,2}`;
const FILL_DE = `(?:,? (?:jetzt|aktuell|momentan|derzeit|immer noch|folgende|diese|wohl|eindeutig|ubrigens|${ORDER_DE})){0,3}`;
const VERB_DE = ` (?:sind|ist|lauten|heissen)(?![${LETTERS}])(?! (?:nicht|nie|kein))${FILL_DE}[ ,:]{0,20}\\n{0,2}`;

const LAST_DE = "letzt(?:e[nrs]?)?";
const RANK_DE = `(?<rank>${ORDINAL}|${NUMBER}${CARDINAL}|${LAST_DE})`;
const WHAT_DE =
  "(?:(?:was|welche[rsn]?|wie|wer) (?:ist|war|heißt|hieß|lautet)(?: (?:nochmal|noch mal|noch|denn|eigentlich))? |sag(?:e)? mir |nenne? mir |zeige? mir |verrate? mir )";
const ARE_DE = "(?:(?:was|welche[s]?|wie) (?:sind|waren|lauten|heißen)(?: (?:nochmal|noch mal|denn|eigentlich))? )";
const LIST_VERB =
  "(?:(?:liste|nenne?|zeige?|sage?|gib|zahle?|erinnere?)(?: mich an)?(?: mir)?(?: bitte)?(?: mal)? (?:die liste (?:mit |von )?)?)";
const MINE_DE = `(?:alle )?${MEIN} (?:(?:${TOP}|${CARDINAL}|ganzen?) )?`;
const LIEBST = "(?<rank>zweit|dritt|viert|funft|sechst|siebt|acht|neunt|zehnt)-?liebste[nrs]?";

export const GERMAN_LISTS: ListWords = {
  ordinals: ORDINALS,
  figures: FIGURES,
  cardinals: CARDINALS,
  numbers: NUMBER,
  intros: [
    {
      form: "list",
      source: `${EDGE}${MEIN} ${MODS_DE}lieblings[ -]?(?<noun>${WORD_DE})${QUAL_DE}(?:${VERB_DE}|${LINK})`,
    },
    {
      form: "list",
      source: `${EDGE}${MEIN} ${MODS_DE}liebsten (?<noun>${WORD_DE}(?: ${WORD_DE})?)${QUAL_DE}(?:${VERB_DE}|${LINK})`,
    },
    {
      form: "list",
      knownOnly: true,
      source: `${EDGE}${MEIN} (?<count>${TOP})(?: (?:bei|der|bei den))? (?<noun>${WORD_DE})${QUAL_DE}(?:${VERB_DE}|${LINK})`,
    },
    {
      form: "single",
      source: `${EDGE}${MEIN} (?<rank>${ORDINAL}|${NUMBER}${CARDINAL}) lieblings[ -]?(?<noun>${WORD_DE})(?:${VERB_DE}| ?: )`,
    },
    {
      form: "single",
      source: `${EDGE}${MEIN} (?<rank>zweit|dritt|viert|funft|sechst|siebt|acht|neunt|zehnt)-?liebste[nrs]? (?<noun>${WORD_DE})(?:${VERB_DE}| ?: )`,
    },
    {
      form: "backward",
      source: ` (?:ist|sind) (?:jetzt |ubrigens )?${MEIN} (?<rank>${ORDINAL}) lieblings[ -]?(?<noun>${WORD_DE})`,
    },
    {
      form: "backward",
      source: ` (?:ist|sind) (?:jetzt |ubrigens )?${MEIN} (?<rank>zweit|dritt|viert|funft|sechst|siebt|acht|neunt|zehnt)-?liebste[nrs]? (?<noun>${WORD_DE})`,
    },
    {
      form: "backward",
      source: ` (?:ist|sind) (?:jetzt |ubrigens )?${MEIN} ${MODS_DE}lieblings[ -]?(?<noun>${WORD_DE})`,
    },
  ],
  questions: [
    { ask: "rank", source: `${WHAT_DE}${MEIN} ${RANK_DE} lieblings[ -]?(?<noun>${WORD_DE})` },
    { ask: "rank", source: `${WHAT_DE}${MEIN} ${LIEBST} (?<noun>${WORD_DE})` },
    { ask: "rank", source: `${WHAT_DE}${MEIN} lieblings[ -]?(?<noun>${WORD_DE}) (?<rank>${NUMBER}${CARDINAL})` },
    { ask: "rank", bare: true, source: `(?:was |wie )?${MEIN} ${RANK_DE} lieblings[ -]?(?<noun>${WORD_DE})` },
    { ask: "rank", bare: true, source: `(?:was |wie )?${MEIN} ${LIEBST} (?<noun>${WORD_DE})` },
    {
      ask: "rank",
      knownOnly: true,
      source: `(?:welche[rsn]?) (?<noun>${WORD_DE}) (?:ist|war) ${MEIN} (?<rank>${NUMBER}${CARDINAL})`,
    },
    { ask: "rank", source: `(?:welche[rsn]?) (?<noun>${WORD_DE}) (?:ist|war) ${MEIN} ${LIEBST}` },
    { ask: "list", source: `${ARE_DE}${MINE_DE}(?:lieblings[ -]?|liebsten )(?<noun>${WORD_DE})` },
    { ask: "list", singularVerb: true, source: `${LIST_VERB}${MINE_DE}(?:lieblings[ -]?|liebsten )(?<noun>${WORD_DE})(?: auf)?` },
    {
      ask: "list",
      bare: true,
      singularVerb: true,
      source: `(?:was |welche )?${MINE_DE}(?:lieblings[ -]?|liebsten )(?<noun>${WORD_DE})`,
    },
    { ask: "list", knownOnly: true, source: `(?:${LIST_VERB}|${ARE_DE})${MEIN} ${TOP} (?<noun>${WORD_DE})(?: auf)?` },
  ],
  followUps: [
    { ask: "rank", source: `(?:und|was (?:ist|war)|welche[rs]? (?:ist|war)) (?:der|die|das|${MEIN}) ${RANK_DE}` },
    { ask: "rank", bare: true, source: `(?:der|die|das) ${RANK_DE}` },
    { ask: "list", source: "(?:liste|zahl) sie(?: alle)? auf|zeig (?:sie mir|mir die ganze liste)" },
  ],
  cue: "lieb(?:ling|st)|\\btop[ -]?\\d",
  questionCue: "lieb(?:ling|st)|\\bmeine? (?:nummer|top|#)",
  followUpCue: "\\b(?:der|die|das|mein|sie)\\b|\\bn(?:r|ummer)\\b",
  favourite: "lieblings",
  mentions: "lieb(?:ling|st)",
  mine: "liebling|liebst|\\bmein\\w*\\b",
  order: ORDER_DE,
  here: "hier sind ",
  is: "ist|sind",
  and: "und",
  rankWords: "nr\\.? ?|nummer |auf platz |platz ",
  beforeOrdinal: "die |der |das |als |an |auf ",
  afterOrdinal: " stelle| platz",
  clauseStart: "ich|wir|er|sie|es|du|mein\\p{L}*|keine?",
  or: "oder",
  next: "dann|danach|gefolgt von|anschliessend|anschließend|schliesslich|schließlich|zuletzt|zum schluss",
  comes: "kommt|ist",
  firstly: "zuerst|als erstes",
  inOrder: "in dieser reihenfolge",
  otherwise: "aber|und (?:ich|mein\\w*)",
  placed: { before: "(?:ist )?(?:auf |an )?", last: "zuletzt", after: " platz| stelle" },
  aside: "weil|denn|aber|wahrend|und mein\\w*|und bei|wenn|falls",
  insteadOf: "statt|anstatt|anstelle",
  noise: "und|dann|und (?:das war's)",
  leading: "ist|sind",
  noValue: "nichts|keine ahnung",
  notAValue: "^(?:nicht|kein\\w*) |lieblings",
  clauseWords: "und|aber|ich glaube",
  joins: "und",
  remarks: "hallo|ja|nein",
  article: "(?:das|der|die|die farbe) ",
  courtesy: "danke|bitte|hallo",
  greetings: "hallo|und|bitte|ubrigens|sag mal",
  asking:
    "weißt du(?: noch)?|weisst du(?: noch)?|kannst du(?: mir)?(?: bitte)?(?: sagen)?|erinnerst du dich(?: noch)? an|sag mir",
  trailing: "nochmal|noch mal|bitte|ist|war|sind|waren|denn|auf|nennen|sagen|zeigen|geben|der reihe nach",
  please: "bitte",
  requests: "(?:schreib|stell|erklar)",
  ownVerb: "sag mir",
  last: "letzt",
  of: "von",
  plural: germanForm,
  topics: {
    favorite_colors: "farbe, farben",
    favorite_cryptos:
      "krypto, kryptos, kryptowährung, kryptowährungen, kryptowaehrung, kryptowaehrungen, kryptocoin, kryptocoins",
    favorite_tv:
      "fernsehserie, fernsehserien, serien, tv-serie, tv-serien, tv serie, tv serien, fernsehsendung, fernsehsendungen, tv-sendung, tv-sendungen, tv sendung, tv sendungen, fernsehshow, fernsehshows, tv-show, tv-shows",
    favorite_candies:
      "süßigkeit, süßigkeiten, suessigkeit, suessigkeiten, süssigkeit, süssigkeiten, bonbon, bonbons, nascherei, naschereien",
  },
  askedFor: "(?<!\\p{L})(?:sind|ist|waren|war|nenne?|zeig mir|liste) ?$",
  others:
    "(?<![\\p{L}'])(?:liste|antwort|nachricht) (?:von|meine[rs]|seine[rs]|ihre[rs]|eine[rs]) [^.!?]*$|(?<![\\p{L}'])meine?[rn]? (?:freund|freundin|bruder|schwester|mutter|vater|frau|mann|kollege|kollegin) ?: ?$",
  takenBack: "(?:nur spass|scherz)",
  saidAfter: "sagte",
};
