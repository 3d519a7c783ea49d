import { starts } from "#core/language/patterns";
import { isOccupation } from "./occupations.ts";
import { keyOf, type Rule, SURE } from "./rule.ts";

const ADV = "(?:(?:mucho|muchísimo|realmente|también|siempre|más|bastante|ahora|actualmente|todavía|de verdad|personalmente) )*";
const UNCLEAR = starts(
  "(?:que\\b|eso\\b|esto\\b|est[ae]\\b|es[ae]\\b|tu\\b|tus\\b|.*\\btus?\\b|cómo\\b|como (?:lo|me)\\b|lo que\\b|(?:el|la|los|las) (?:primer[oa]?|segund[oa]|tercer[oa]?|otr[oa]|últim[oa])\\b|(?:la |tu )?(?:opción|respuesta|versión|idea|propuesta)\\b|\\W*$|.*\\bsi (?:fuera|pudiera))",
);
const VERB =
  "(?!(?:quise|pensé|creí|tuve|fui|era|iba|supe|dije|quiero|necesito|hay|que|me|lo|la)\\b)(?:me |lo |la |les? )?\\p{L}+o";

export const SPANISH: readonly Rule[] = [
  {
    category: "preference",
    confidence: SURE.plain,
    pattern: starts("mis? (?<noun>[\\p{L}]+(?: de [\\p{L}]+)?) (?:favorit|preferid)[oa]s? (?:es|son) (?!no\\b)"),
    refuse: starts("\\W*$|\\.\\."),
    key: ({ noun }) => keyOf("preference:favorite_", noun ?? ""),
  },
  {
    category: "preference",
    confidence: SURE.strong,
    pattern: starts(`(?:yo )?${ADV}(?:prefiero|odio|detesto|adoro|no soporto|no aguanto) ${ADV}`),
    refuse: UNCLEAR,
  },
  {
    category: "preference",
    confidence: SURE.strong,
    pattern: starts(`(?:a mí )?(?:${ADV})me (?:gustan?|encantan?|fascinan?|chiflan?) ${ADV}`),
    refuse: UNCLEAR,
  },
  {
    category: "decision",
    confidence: SURE.usual,
    pattern: starts(
      "(?:elegí|escogí|elegimos|escogimos|he elegido|hemos elegido|me decidí por|nos decidimos por|he decidido|hemos decidido|decidí|decidimos|opté por) ",
    ),
    refuse: starts("(?:eso|esto|tu\\b|la (?:primera|segunda|tercera)|\\W*$)"),
  },
  {
    category: "decision",
    confidence: SURE.usual,
    pattern: starts("(?:voy a|vamos a) (?:usar|utilizar|adoptar|cambiar a|quedarme con) "),
    refuse: starts("(?:eso|esto|tu\\b|lo que|la (?:primera|segunda|tercera)|.*\\bsi\\b)"),
  },
  { category: "habit", confidence: SURE.usual, pattern: starts("(?:yo )?(?:suelo|solemos|acostumbro a) [\\p{L}]") },
  {
    category: "habit",
    confidence: SURE.usual,
    pattern: starts(`(?:yo )?(?:siempre|normalmente|generalmente|habitualmente|a menudo|nunca),? ${VERB}\\b`),
    refuse: starts(".*\\b(?:error|excepción|tus?)\\b"),
  },
  {
    category: "habit",
    confidence: SURE.usual,
    pattern: starts(
      `(?:cada (?:mañana|noche|día|tarde|semana)|todos los días|todas las (?:mañanas|noches|tardes)|los (?:lunes|martes|miércoles|jueves|viernes|sábados|domingos)),? ${VERB}\\b`,
    ),
  },
  { category: "habit", confidence: SURE.usual, pattern: starts("(?:yo )?no (?:como|bebo|fumo|tomo) (?!eso|esto)[\\p{L}]") },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts("(?:yo )?me llamo (?=(?-i:\\p{Lu}))|mi nombre es (?=(?-i:\\p{Lu}))"),
    key: "identity:name",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts("(?:yo )?(?:ahora |actualmente |todavía )?(?:vivo|vivimos) (?:ahora |actualmente )?(?:en|cerca de) "),
    refuse: starts("(?:un sueño|las nubes|paz)\\b"),
    key: "identity:home",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts("(?:yo )?(?:me mudé|me he mudado|nos mudamos|acabo de mudarme|me trasladé) a "),
    refuse: starts("(?:otra|otro|la siguiente)\\b"),
    key: "identity:home",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts("(?:yo )?(?:ahora )?trabajo (?:como|de) "),
    refuse: starts("(?:noche|día|casa|siempre|un loco)\\b"),
    key: "identity:occupation",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts("(?:yo )?(?:ahora )?trabajo (?:en|para) "),
    refuse: starts("(?:casa|el (?:login|código|proyecto)|eso|esto|un |una |mi\\b|ello|remoto)"),
    key: "identity:work",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(`(?:yo )?soy (?:una? |el |la )?(?<calling>[\\p{L}-]+)(?=\\s*$|[,;:)]| (?:y|pero|en|de)\\b)`),
    key: "identity:occupation",
    accepts: ({ calling }) => isOccupation(calling ?? ""),
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts("(?:yo )?soy (?:una? )?(?:vegetarian[oa]|vegan[oa]|pescetarian[oa])(?=\\s*$|[,;:)]| (?:y|pero|desde)\\b)"),
    key: "identity:diet",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(
      "(?:yo )?soy (?:alérgic[oa] a|intolerante a|diabétic[oa]|celíac[oa]|católic[oa]|musulm[aá]na?|judí[oa]|gay|lesbiana|bisexual|zurd[oa]|solter[oa]|viud[oa])|(?:yo )?(?:estoy) (?:embarazada|casad[oa]|divorciad[oa]|separad[oa])(?=\\s*$|[,;:)]| y\\b)",
    ),
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts("(?:yo )?tengo (?:ansiedad|depresión|diabetes|asma|tdah|epilepsia|cáncer|migrañas?|una? alergia|insomnio)"),
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts("(?:yo )?(?:tengo|cumplo) \\d{1,3} años"),
    key: "identity:age",
  },
  { category: "identity", confidence: SURE.plain, pattern: starts("(?:yo )?nací (?:en|el) ") },
  { category: "identity", confidence: SURE.plain, pattern: starts("(?:yo )?soy de (?=(?-i:\\p{Lu}))"), key: "identity:origin" },
  { category: "identity", confidence: SURE.plain, pattern: starts("mi cumpleaños es (?:el )?"), key: "identity:birthday" },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(
      "(?:yo )?(?:estudio) (?!est[ae]|es[ae])[\\p{L}]|(?:yo )?hablo (?!de\\b|con\\b|en\\b|por\\b|sobre\\b)[\\p{L}]",
    ),
  },
  {
    category: "task",
    confidence: SURE.plain,
    pattern: starts("(?:por favor,? )?(?:recuérdame|recuerdame|recuérdanos|no me dejes olvidar) "),
    refuse: starts("(?:qué|cómo|por qué|quién|dónde|lo que)\\b"),
  },
  {
    category: "task",
    confidence: SURE.weak,
    pattern: starts(
      "(?:yo )?(?:tengo que|tenemos que|necesito|debo|necesitamos) (?!(?:saber|entender|preguntar|decir|admitir|ver|pensar|que)\\b)\\p{L}+(?:ar|er|ir)(?:me|lo|la|les?|los|las)?\\b",
    ),
  },
];

export const SPANISH_REMEMBER =
  "(?:por favor,? )?(?:recuerda|acuérdate de|ten en cuenta|ten presente|no olvides|no te olvides de|toma nota de|apunta|anota)(?: por favor,?)? (?:que )|(?:por favor,? )?(?:recuerda|apunta|anota): ";
