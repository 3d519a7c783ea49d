import type { LanguagePack } from "#core/language/pack";
import { SPANISH_ASKED } from "./asked.ts";
import { SPANISH_FORGET } from "./forget.ts";
import { SPANISH_FORMS } from "./forms.ts";
import { SPANISH_LIST_TALK } from "./list-talk.ts";
import { SPANISH_LISTS } from "./lists.ts";
import { SPANISH_SENSITIVITY } from "./sensitivity.ts";
import { SPANISH_CALENDAR, SPANISH_SIGNS } from "./signs.ts";
import { SPANISH_SLOTS } from "./slots.ts";
import { SPANISH_WORDS } from "./words.ts";

export const SPANISH: LanguagePack = {
  code: "es",
  spaced: true,
  words: SPANISH_WORDS,
  slots: SPANISH_SLOTS,
  signs: SPANISH_SIGNS,
  calendar: SPANISH_CALENDAR,
  possessive: "mis?|mi[oa]s?|nuestr[oa]s?",
  firstPerson:
    "\\b(?:viv(?:o|imos)|trabajo|soy|estoy|dejé|lo dejamos|renuncié|empiezo|empecé|vuelvo|rompimos|he(?:mos)? \\p{L}+)\\b",
  changes: {
    ended:
      "\\b(?:ya no|dej[eéoó]|dejado|cancel\\p{L}{1,16}|anul\\p{L}{1,16}|romp(?:í|imos|ió)|lo dejamos|cortamos|separ(?:é|amos|ado|ada)|divorci\\p{L}{1,16}|vend(?:í|imos|ido)|renunci[eéó]|despidi\\p{L}{1,16}|murió|falleció|se acabó|terminó|terminamos|perdí|olvida|olvídate|se cayó)\\b",
    renewed:
      "\\b(?:ahora|actualmente|en vez de|en lugar de|a partir de|cambi[eéoóa]\\p{L}{0,12}|me mudé|nos mudamos|me he mudado|pas[eéó] a|quise decir|corrección|subi(?:ó|do|eron)|baj(?:ó|ado|aron)|aplaz\\p{L}{1,16}|movieron)\\b",
    stops: "\\b(?:deja|dejes|dejar|para de|basta|ya no|no más|sin más|no hace falta|no tienes que|no necesito)\\b",
    resumes: "\\b(?:otra vez|de nuevo|vuelve|volver|normal(?:mente)?|como antes)\\b",
    happened:
      "\\b(?:ayer|anoche|la semana pasada|el (?:mes|año|lunes|martes|miércoles|jueves|viernes|sábado|domingo) pasado|hace (?:\\p{L}{1,16} |\\d{1,6} )?(?:días|semanas|meses|años)|antes)\\b",
    unreal:
      "\\b(?:casi|por poco|soñ\\p{L}*|sueño|pens(?:é|aba|ado|ando) en|quizás?|tal vez|a lo mejor|quería|querían|iba a|podría|debería|rumor\\p{L}*|broma|ofreci\\p{L}*|algún día)\\b",
    once: "\\b(?:esta (?:semana|vez|noche|tarde)|este (?:lunes|martes|miércoles|jueves|viernes|sábado|domingo|fin de semana|mes|año)|solo (?:por )?(?:una|esta) vez|por una vez|mañana|hoy|ayer|la semana que viene|excepción|festivo)\\b",
    beside: "\\b(?:también|además|otr[oa]s?|segund[oa]|tercer\\p{L}*|adicional)\\b",
    stays: "\\b(?:todavía|aún|sigue|siguen|sigo|seguimos|qued\\p{L}*|mism[oa]s?|como siempre|igual|el resto)\\b",
  },
  asks: {
    amount: "\\b(?:cuánt[oa]s?|cuándo|(?:qué|que) (?:hora|día|fecha|año|precio|talla|número|edad))\\b",
    byAssistant:
      "\\b(?:dijiste|recomendaste|sugeriste|diste|aconsejaste|comentaste|mencionaste|explicaste|propusiste|pasaste|enseñaste|me has|me habías)\\b",
    person: "\\b(?:quién(?:es)?|nombre|llama[ns]?)\\b",
    known:
      "\\b(?:recuérd\\p{L}{0,6}|recuerd\\p{L}{0,6}|otra vez|cuál(?:es)?|cuándo|dónde|quién(?:es)?|cuánt[oa]s?|se llama[ns]?)\\b",
  },
  greetings:
    "buen[oa]s (?:días|tardes|noches)|buen (?:día|fin de semana)|hasta (?:luego|mañana|pronto)|nos vemos|feliz (?:navidad|cumpleaños|año nuevo)",
  amounts:
    "dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|veinte|treinta|cien|ciento|mil|media|medio|cuarto|docena|euros?|pesos|mediodía|medianoche",
  frames: {
    standing:
      "(?:por favor |porfa )?(?:(?:responde|contesta|escribe|habla)(?:me)? siempre|siempre|nunca|a partir de ahora|desde ahora|de ahora en adelante|cada vez)\\b",
    prefers: "\\bprefiero\\b|\\bpreferiría\\b|\\bme gusta más\\b",
    ends: "\\bhasta (?:el )?(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo|mañana)\\b|\\b(?:esta semana|este finde|este fin de semana|unos días)\\b",
    steering:
      "\\b(?:siempre|nunca|solo|hay que|debe|deben)\\b.{0,60} (?:decir[a-z]{0,3}|respond[a-z]{0,4}|recomiend[a-z]{0,3}|recomend[a-z]{0,4})\\b|\\b(?:decir[a-z]{0,3}|recomend[a-z]{0,4}) siempre\\b",
    anybody: "todos|alguien",
    asked:
      "(?:qu\\u00e9|cu\\u00e1l(?:es)?|d\\u00f3nde|qui\\u00e9n|c\\u00f3mo|cu\\u00e1ndo|por qu\\u00e9|puedes|podrías|sabes|tienes|hay (?:algún|algo)|prefiere ich)\\b",
    tag: "¿?(?:no|verdad|cierto)",
    request: "(?:puedes|podrías) (?:por favor )?(?:recordar|recordarme|anotar|apuntar)\\b",
    supposed: "\\b(?:imagina|supongamos|supón|suponiendo|ojalá|quizás?|tal vez)\\b|\\bsi(?![\\p{L}',])",
    reported: "\\b(?:dijo|dice|dicen|escribió|cree|piensa|según)\\b",
    attributed: ",\\s*(?:dijo|dice) \\p{L}+(?=\\W*$)",
    past: "\\b(?:antes,? (?:viv|trabaj|era|ten|me |yo |iba)|de ni\\u00f1[oa]\\b|cuando era\\b|de peque\\u00f1[oa]\\b)",
    material:
      "(?:traduce|corrige|reescribe|resume)\\b|(?:escribe|cuenta|inventa)\\b.{0,200} (?:cuento|historia|poema|canción|diálogo)|estimad[oa]s? |(?:por ejemplo|ejemplo)\\b ?[:,]",
    staged:
      "(?:imagina|imagínate|supongamos|supón|suponiendo|finge|eres una?|actúa como)\\b|(?:para|en) el juego de rol|en (?:la|esta) novela\\b|juego de rol ?:",
    elsewhere: "\\b(?:en (?:el cuento|mi sueño|la novela))\\b",
    laughter: "\\b(?:ja){2,}j?\\b|\\bjeje\\p{L}*",
    joke: "\\b(?:es broma|es una broma)\\b",
    reopening: "(?:pero|por cierto)\\b",
    aside: "(?:por cierto)\\b",
    harmless: "\\b(?:ya )?te dije\\b|\\bsi (?:puedes|quieres|me preguntas)\\b",
  },
  conjunctions: "y|pero|porque|xq|aunque|cuando|desde|asi que|así que|hasta",
  joins: "con|sin|o|u|e|ni|que|quien|quienes|donde|también|además|a pesar de|debido a|gracias a",
  since: "desde|hasta",
  stating: {
    calls: "llama llaman",
    words:
      "pasado pasada a al del para por cerca otra vez ahora actualmente todavia como de favorito favorita preferido preferida llamo vivo vivimos trabajo mude mudado soy estoy casado casada tengo",
    years: "en",
    employed: "en para",
  },
  shared: {
    pronoun: "yo|nosotr[oa]s",
    copula: "soy|somos|estoy|estamos",
    states:
      "alérgic[oa]s?|celíac[oa]s?|diabétic[oa]s?|asmátic[oa]s?|epiléptic[oa]s?|intolerantes?|embarazada|cieg[oa]s?|sord[oa]s?|autistas?",
  },
  subjects: "yo|mi|mis",
  before: "por cierto|la verdad es que|la verdad|en realidad|hola|bueno|pues|sí|y|pero|además|porque|por favor",
  after: "por favor|gracias",
  abbreviations: "sra|p\\.ej|ud",
  labels: "nota|importante|traduce",
  forwarded: "mensaje",
  mailLines: "el [^\\n]{4,160}escribió[^\\n]{0,60}:[ \\t]*$|(?:de|asunto)[ \\t]*[:：][ \\t]*\\S",
  sensitivity: SPANISH_SENSITIVITY,
  moment: {
    words: "ahora mismo|en este momento|de momento|hoy",
    actions: "el siguiente|la siguiente|a continuación",
  },
  negation: {
    words: "no|nunca|jamás|jamas|tampoco|sin",
    contrary: "odi[ao]\\p{L}*|detest\\p{L}*|evit\\p{L}*",
    idioms: "no (?:me )?(?:olvides?|dejes que olvide)|no s[oó]lo",
  },
  diets: "vegan|vegetari|halal|kosher|gluten|lactosa",
  names: {
    notAfter: "un|una|el|la|los|las|mis?|tus?|su|en",
    verbs: "es|está|esta|va|ha|tiene|quiere|vive|come",
  },
  asked: SPANISH_ASKED,
  lists: SPANISH_LISTS,
  listTalk: SPANISH_LIST_TALK,
  forms: SPANISH_FORMS,
  forget: SPANISH_FORGET,
};
