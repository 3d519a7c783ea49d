import type { LanguagePack } from "#core/language/pack";
import { GERMAN_ASKED } from "./asked.ts";
import { GERMAN_FORGET } from "./forget.ts";
import { GERMAN_FORMS } from "./forms.ts";
import { GERMAN_LIST_TALK } from "./list-talk.ts";
import { GERMAN_LISTS } from "./lists.ts";
import { GERMAN_SENSITIVITY } from "./sensitivity.ts";
import { GERMAN_CALENDAR, GERMAN_SIGNS } from "./signs.ts";
import { GERMAN_SLOTS } from "./slots.ts";
import { GERMAN_WORDS } from "./words.ts";

export const GERMAN: LanguagePack = {
  code: "de",
  spaced: true,
  words: GERMAN_WORDS,
  slots: GERMAN_SLOTS,
  signs: GERMAN_SIGNS,
  calendar: GERMAN_CALENDAR,
  possessive: "mein(?:e|er|em|en|es|s)?|unser(?:e|er|em|en|es)?",
  changes: {
    ended:
      "\\b(?:nicht mehr|kein\\p{L}{0,12} (?:[\\p{L}']{1,16} ){0,3}mehr|nie mehr|gekündigt|hingeschmissen|aufgehört|aufgegeben|abgesagt|storniert|gestrichen|ausgefallen|fällt aus|fallen aus|verkauft|getrennt|schluss gemacht|auseinander|geschieden|ausgezogen|verlassen|vorbei|gestorben|verstorben|eingeschläfert|abgegeben|verloren|beendet|abgebrochen|verworfen|vergiss)\\b",
    renewed:
      "\\b(?:jetzt|inzwischen|mittlerweile|nun|stattdessen|statt|ab (?:sofort|jetzt|heute|morgen|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|nächste[rnms]?|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|dem|der)|gewechselt|umgestiegen|getauscht|geändert|verschoben|verlegt|umgezogen|gezogen|doch lieber|künftig|von nun an|korrektur|ich meinte|erhöht|gestiegen|gesenkt|nur noch|übernimmt|übernommen)\\b",
    stops:
      "\\b(?:hör(?:e|en)? (?:bitte )?(?:auf|damit)|lass(?:e|en)?|weglassen|aufhören|schluss|genug|(?:nicht|kein\\p{L}{0,2}) (?:[\\p{L}']{1,16} ){0,4}mehr|(?:musst|brauchst) (?:mir |mich )?(?:nicht|kein\\p{L}{0,2}))\\b",
    resumes: "\\b(?:wieder|normal|wie (?:früher|vorher))\\b",
    happened:
      "\\b(?:gestern|vorgestern|letzte[nrs]? (?:woche|monat|jahr|nacht|sommer|winter|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)|vor (?:\\p{L}{1,16} |\\d{1,6} )?(?:tagen|wochen|monaten|jahren)|früher)\\b",
    unreal:
      "\\b(?:fast|beinahe|geträumt|träumt\\p{L}*|traum|überleg\\p{L}*|nachgedacht|denke darüber|wollte\\p{L}*|hätte\\p{L}*|könnte\\p{L}*|würde\\p{L}*|vielleicht|womöglich|eventuell|gerücht\\p{L}*|angst|spaß|witz|sollte\\p{L}*|angeboten|irgendwann|angeblich)\\b",
    once: "\\b(?:diese (?:woche|mal)|dieses (?:mal|wochenende|jahr)|diesmal|ausnahmsweise|einmalig|nur einmal|dies(?:en|er) (?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|monat)|nächste (?:woche)|heute|morgen|gestern|für (?:eine|zwei) (?:woche|wochen)|feiertag|vorerst|ausnahme)\\b",
    beside:
      "\\b(?:auch|außerdem|zusätzlich|noch ein\\p{L}*|zweite\\p{L}*|dritte\\p{L}*|andere\\p{L}*|anderes|daneben|beide\\p{L}*)\\b",
    stays:
      "\\b(?:immer noch|noch immer|weiterhin|bleib\\p{L}*|blieb\\p{L}*|geblieben|behalt\\p{L}*|behielt|wie (?:immer|gehabt|bisher)|gleich|selbe\\p{L}*|dieselbe\\p{L}*|derselbe|unverändert|der rest|nach wie vor|beim alten|ansonsten|sonst)\\b",
  },
  asks: {
    amount:
      "\\b(?:wie (?:viel|viele|lange?|alt|hoch|groß|weit|oft|spät)|wieviele?|wann|welche[rnsm]? (?:tag|datum|jahr|uhrzeit|preis|größe|nummer)|um wieviel)\\b",
    byAssistant:
      "\\b(?:hast|hattest|haben|hatten) (?:du|sie)\\b|\\b(?:du|sie) .{0,60}(?:gesagt|empfohlen|vorgeschlagen|genannt|gegeben|erwähnt|geraten|gezeigt|erklärt|gemeint)|\\b(?:sagtest|meintest|empfahlst) du\\b",
    person: "\\b(?:wer|wem|wen|wessen|namen?|heißt|heißen)\\b",
    known: "\\b(?:erinner\\p{L}{0,4}|noch ?mal|welche[nrsm]?|wann|wo|wohin|wer|wem|wen|wessen|wie (?:viele?|heißt|heißen))\\b",
  },
  greetings:
    "gute[nr]? (?:morgen|tag|abend|nacht)|schöne[nrs]? (?:tag|abend|wochenende|woche|gruß|grüße)(?: noch)?|bis (?:später|morgen|bald|dann)|frohe weihnachten",
  amounts:
    "eins?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|dreißig|hundert|tausend|halb|viertel|dutzend|euro|mittag|mitternacht",
  frames: {
    standing: "(?:bitte )?(?:immer|nie|niemals|stets|ab jetzt|ab sofort|von jetzt an|künftig|in zukunft|jedes mal)\\b",
    prefers: "\\bich (?:\\S+ )?bevorzuge\\b|\\bmir (?:ist|wäre|sind) (?:\\S+ ){0,4}lieber\\b|\\bich (?:\\S+ ){1,4}lieber\\b",
    ends: "\\bbis (?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|morgen|übermorgen)\\b|\\b(?:diese woche|dieses wochenende|ein paar tage)\\b",
    steering:
      "\\b(?:immer|nie|nur|muss|müssen|soll|sollen)\\b.{0,60} (?:gesagt|sagen|antworte[a-z]{0,2}|empfehlen|empfiehlt|empfehle|erwähnen|erwähnt)\\b",
    anybody: "alle|allen|jeder?|jemand",
    asked:
      "(?:was|wo|wer|wie|warum|wann|woher|wohin|wieso|welche[rsmn]?|(?:mag|bin|habe|soll|kann|wohne|heiße|trinke|esse|liebe|hasse) ich|kannst du|könntest du|weißt du|gibt es|hast du|ist das|sind das)\\b",
    relative: "(?:was|wo|wer|wie|welche[rsmn]?)\\b",
    tag: "(?:oder|nicht wahr|stimmt's|gell|ne)",
    request: "(?:bitte )?(?:kannst|könntest|würdest) du (?:mich |dir |bitte ){0,3}(?:(?:daran )?erinnern|merken|notieren)\\b",
    supposed: "\\b(?:wenn|falls|angenommen|stell dir vor|nehmen wir an|ob|w\\u00fcrde\\p{L}*|wäre|h\\u00e4tte ich|vielleicht)\\b",
    reported: "\\b(?:sagte|sagt|sagen|sagst|meinte|meint|behauptet|schrieb|glaubt|denkt|dachte|laut)\\b",
    attributed: ",\\s*(?:sagte|sagt|meinte|schrieb) (?:er|sie|\\p{L}+)(?=\\W*$)",
    past: "\\b(?:früher|damals|als kind|als ich (?:klein|jung) war)\\b",
    material:
      "(?:übersetze?|korrigiere?|formuliere?|fasse? .{0,200}zusammen)\\b|(?:schreib|erzähl)e?\\b.{0,200}(?:geschichte|gedicht|lied|märchen|dialog|szene)|(?:sehr geehrte|liebe[rs]? (?:frau|herr|team))|(?:zum beispiel|beispiel)\\b ?[:,]",
    staged:
      "(?:stell dir vor|stellen wir uns vor|angenommen|nehmen wir an|tu so|spiele?\\b|du bist (?:jetzt |ab jetzt )?(?:mein|meine|ein|eine) |schreib(?:e)? (?:mal |bitte )?als )|(?:fürs?|im|in diesem) (?:das )?rollenspiel|(?:im|in diesem) roman\\b|rollenspiel ?:",
    elsewhere: "\\b(?:in (?:der|meiner) geschichte|im (?:traum|roman))\\b",
    laughter: "\\b(?:haha\\p{L}*|hihi|hehe)\\b",
    joke: "\\b(?<!kein )(?:scherz|nur spaß)\\b",
    reopening: "(?:aber|jedenfalls|ubrigens)\\b",
    aside: "(?:übrigens|ach ja|nebenbei)\\b",
    harmless: "\\bich (?:\\w+ )?(?:sagte|sagt)\\b|\\bwenn du (?:mich fragst|magst|willst)\\b",
  },
  conjunctions: "und|aber|weil|denn|damit|wenn|obwohl|deshalb|sondern|doch|seit|bis",
  joins: "mit|ohne|oder|sowie|samt|trotz|wegen|dank|auch|außerdem|zudem|als jemand",
  since: "seit|bis",
  stating: {
    calls: "heisst heissen",
    words:
      "letzte letzten letztes bei beim in im am an auf aus nach nahe zu zur zum vom von wieder noch schon gerade derzeit aktuell momentan als heisse gezogen umgezogen arbeite arbeitet wohne wohnt lebe lebt komme",
    years: "in im",
    employed: "bei beim fur",
  },
  shared: {
    pronoun: "ich|wir",
    copula: "bin|sind",
    states:
      "allergisch|allergiker(?:in)?|diabetiker(?:in)?|epileptiker(?:in)?|asthmatiker(?:in)?|zuckerkrank|schwanger|taub|blind|gehörlos|behindert",
  },
  subjects: "ich|mein|meine|wir|kannst du",
  before: "ehrlich gesagt|(?:nein)(?=[,.!])|hallo|übrigens|uebrigens|ja|naja|ach|und|aber|denn|eigentlich|bitte",
  after: "bitte|danke",
  abbreviations: "z\\.b|d\\.h|bzw|ca|nr",
  labels: "merke|wichtig|hinweis|übersetze|übrigens",
  forwarded: "ursprüngliche",
  mailLines: "am [^\\n]{4,160}schrieb[^\\n]{0,60}:[ \\t]*$|(?:von|betreff)[ \\t]*[:：][ \\t]*\\S",
  sensitivity: GERMAN_SENSITIVITY,
  moment: { words: "gerade|gleich|im moment|momentan|heute", actions: "als nächste[rs]? " },
  negation: {
    words: "nicht|nie|niemals|kein\\p{L}*|ohne",
    contrary: "hass?[et]\\p{L}*|verabscheu\\p{L}*|vermeide\\p{L}*",
    idioms: "nicht vergessen|vergiss(?: bitte)? nicht|nicht nur",
  },
  diets: "vegan|vegetar|halal|koscher|gluten|laktose",
  names: {
    notAfter: "der|die|das|den|dem|des|eine?[nmrs]?|im|am|zum|zur|seit|mein\\p{L}*|dein\\p{L}*|kein\\p{L}*",
    verbs: "\\p{L}+t|kann|will|ist",
  },
  asked: GERMAN_ASKED,
  lists: GERMAN_LISTS,
  listTalk: GERMAN_LIST_TALK,
  forms: GERMAN_FORMS,
  forget: GERMAN_FORGET,
};
