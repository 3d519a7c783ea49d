import type { Calendar, SignWords } from "#core/language/pack";

const WEEKDAY = "(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)";
const MONTH = "(?:januar|jänner|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)";
const ADVERBS =
  "(?:(?:heute|gerade|noch|auch|so|sehr|ganz|echt|total|richtig|ziemlich|etwas|ein bisschen|voll|wirklich|momentan|grade|schon|wieder|derzeit|aktuell|jetzt|im moment) ){0,3}";
const PASSING =
  "(?:müde|erschöpft|kaputt|fertig|gestresst|hungrig|durstig|traurig|nervös|genervt|gelangweilt|einsam|aufgeregt|krank|schlapp|sauer|wütend|glücklich|froh|schlecht gelaunt|gut gelaunt|überfordert|platt|k\\.?o\\.?)";

export const GERMAN_SIGNS: SignWords = {
  duty: `\\b(?:ich|wir) (?:muss|müssen|soll|sollte|sollten|müsste)\\b|\\b(?:muss|müssen) (?:ich|wir)\\b|\\berinner(?:e|st)? (?:mich|uns)\\b|\\b(?:vergiss|vergesst) nicht\\b|^(?:todo|muss noch|noch)\\b.{0,80}en\\W*$`,
  feeling: `\\b(?:ich (?:bin|fühle mich)|bin ich|bin|fühle mich) ${ADVERBS}${PASSING}\\b|\\bmir ist ${ADVERBS}(?:kalt|heiß|warm|schlecht|übel|langweilig|schwindelig)\\b|\\bes (?:regnet|schneit|stürmt)\\b|\\b(?:es ist|ist es|ist heute) ${ADVERBS}(?:heiß|kalt|schwül|windig|sonnig|neblig|eiskalt)\\b|\\b(?:kopf|rücken|bauch|hals|zahn|ohren?)(?:schmerzen|weh)\\b|\\btut (?:mir )?(?:\\p{L}{1,16} ){0,3}weh\\b|\\b(?:schlecht|mies|kaum|gut) geschlafen\\b|\\bich habe? ${ADVERBS}(?:hunger|durst|kopfweh|schnupfen)\\b`,
  doing: `\\b(?:ich|wir|bin|sind) (?:\\p{L}{1,16} ){0,3}(?:gerade|grade|derzeit|momentan|zurzeit|aktuell|im moment|dabei)\\b|\\b(?:gerade|grade|derzeit|momentan|zurzeit|aktuell|im moment) (?:\\p{L}{1,16} ){0,1}(?:ich|wir)\\b|\\bich arbeite (?:\\p{L}{1,16} ){0,2}an\\b|\\b(?:ich suche|ich bereite|ich lerne für|ich schreibe (?:an|meine)|wir renovieren|wir planen|ich plane|ich bin auf (?:der )?(?:suche|dienstreise)|ich bin im urlaub|ich bin in elternzeit)\\b`,
  done: `\\b(?:habe?|hat|haben|bin|ist|sind|wurde|wurden) (?:[^.!?]{1,80} )?(?:ge\\p{L}{2,16}(?:t|en)|\\p{L}{2,10}ge\\p{L}{2,14}(?:t|en)|\\p{L}{3,16}iert|(?:be|ver|er|zer|ent)\\p{L}{2,14}(?:t|en))\\b|\\b(?:war(?:en)?|hatten?|ging(?:en)?|kam(?:en)?|traf(?:en)?|kaufte|fuhr(?:en)?|sah(?:en)?|machte|verlor|fand)\\b`,
  likes: `\\bich (?:\\p{L}{1,16} ){0,2}(?:mag|liebe|hasse|bevorzuge|verabscheue|genieße)\\b|\\b(?:mag|liebe|hasse|bevorzuge) ich\\b|\\b(?:am liebsten|lieber|gern|gerne|ungern|lieblings\\p{L}*)\\b|\\bich kann (?:[^.!?]{1,30} )?nicht (?:ausstehen|leiden)\\b|\\bfan von\\b|\\bich stehe? (?:total )?auf\\b|\\b(?:gefällt|gefallen|schmeckt|schmecken) mir\\b`,
  past: `\\b(?:gestern|vorgestern|neulich|letzte[nrs]? (?:nacht|woche|wochenende|${WEEKDAY})|am vergangenen|vor (?:\\p{L}{1,9} |\\d{1,3} )?(?:tagen|wochen|stunden|minuten|einem tag|einer woche))\\b`,
  future: `\\b(?:(?<!(?:guten|jeden|heute|am) )morgen(?! früh(?:s|stück))|übermorgen|nächste[nrs]? (?:woche|wochenende|monat|jahr|${WEEKDAY})|kommende[nrs]? (?:woche|${WEEKDAY})|in (?:einer?|zwei|drei|\\d{1,2}) (?:tagen?|wochen?|stunden?|monaten?))\\b`,
  day: `\\b(?:am|diesen|kommenden) ${WEEKDAY}\\b|\\b\\d{1,2}\\. ?${MONTH}\\b|\\bam \\d{1,2}\\.`,
  now: "\\b(?:heute|jetzt gerade|gerade eben|in diesem moment|heute (?:früh|morgen|abend|nacht))\\b",
  current:
    "\\b(?:derzeit|zurzeit|zur zeit|momentan|im moment|aktuell|gerade|grade|diesen monat|dieses semester|in letzter zeit)\\b",
  until:
    "\\b(?:vorerst|diese woche|dieses wochenende|vorübergehend|bis (?!jetzt|bald|später|dann)[\\p{L}\\d]|für (?:eine|zwei|drei|ein paar|\\d{1,2}) (?:tage?|wochen?|monate?))\\b",
  lasting: `\\b(?:immer|jede[nrsm]?|täglich|wöchentlich|monatlich|jährlich|meistens|normalerweise|gewöhnlich|nie|niemals|oft|seit|${WEEKDAY}s|wochenends|morgens|abends|letzte[nrs]? (?:jahr|monat|sommer|winter)|vor (?:\\p{L}{1,9} |\\d{1,3} )?(?:jahren|monaten|einem jahr)|(?:19|20)\\d\\d|geburtstag|geboren|aufgewachsen|hochzeitstag|mal (?:die|pro|in der) woche|von beruf)\\b`,
};

export const GERMAN_CALENDAR: Calendar = {
  months: [
    ...["januar|jänner", "februar", "märz", "april", "mai", "juni", "juli", "august"],
    ...["september", "oktober", "november", "dezember"],
  ],
  dates: [
    "\\b(?<day>\\d{1,2})\\. ?{month}\\b(?: (?<year>20\\d\\d))?",
    "\\b(?:im|bis|vor|ende|anfang|mitte|ab) (?:zum )?{month}\\b(?: (?<year>20\\d\\d))?",
  ],
};
