import type { Forms } from "#core/language/statement-forms";

const NAME = "(?-i:(?:(?:Sr|Sra|Dr|Dra)\\.? )?\\p{Lu}[\\p{L}'-]*(?: \\p{Lu}[\\p{L}'-]+){0,2})";
const NAMES = `(?<names>${NAME}(?:(?:, | y | & )${NAME}){0,5})`;
const ROLE = "(?<role>[\\p{L}-]+(?: [\\p{L}-]+)??)";
const MY = "(?:mi|mis|nuestr[oa]s?)";

export const SPANISH_FORMS: Forms = {
  statements: [
    { key: "name", pattern: "(?:yo )?me llamo (?=(?-i:\\p{Lu}))|mi nombre es (?=(?-i:\\p{Lu}))" },
    {
      key: "home",
      pattern: "(?:yo )?(?:ahora |actualmente |todavía )?(?:vivo|vivimos) (?:ahora |actualmente )?(?:en|cerca de) ",
      refuse: "(?:un sueño|las nubes|paz)\\b",
    },
    {
      key: "home",
      pattern: "(?:yo )?(?:me mudé|me he mudado|nos mudamos|acabo de mudarme) a ",
      refuse: "(?:otra|otro|la siguiente)\\b",
    },
    {
      key: "occupation",
      pattern: "(?:yo )?(?:ahora )?trabajo (?:como|de) ",
      refuse: "(?:noche|día|casa|siempre|un loco)\\b",
    },
    {
      key: "occupation",
      pattern: "(?:yo )?soy (?:una? |el |la )?(?<calling>[\\p{L}-]+)(?=\\s*$|[,;:.!)]| (?:y|pero|en|de)\\b)",
    },
    {
      key: "work",
      pattern: "(?:yo )?(?:ahora )?trabajo (?:en|para) ",
      refuse: "casa|el (?:login|código|proyecto)|eso|esto|un |una |mi\\b|ello|remoto",
    },
    { key: "age", pattern: "(?:yo )?(?:tengo|cumplo) \\d{1,3} años" },
    { key: "origin", pattern: "(?:yo )?soy de (?=(?-i:\\p{Lu}))" },
    { key: "birthday", pattern: "mi cumpleaños es (?:el )?" },
    {
      key: "diet",
      pattern: "(?:yo )?soy (?:una? )?(?:vegetarian[oa]|vegan[oa]|pescetarian[oa])(?=\\s*$|[,;:.!)]| (?:y|pero|desde)\\b)",
    },
    {
      key: "favorite",
      pattern: "mis? (?<noun>[\\p{L}]+(?: de [\\p{L}]+)?) (?:favorit|preferid)[oa]s? (?:es|son) (?!no\\b)",
      refuse: "\\W*$|\\.\\.",
    },
  ],
  remember:
    "(?:por favor,? )?(?:recuerda|acuérdate de|ten en cuenta|no olvides|no te olvides de|toma nota de|apunta|anota)(?: por favor,?)? (?:que )|(?:por favor,? )?(?:recuerda|apunta|anota): ",
  notRemembered: "(?:tu|esto|eso)\\b",
  reminders: [
    {
      pattern: "(?:por favor,? )?(?:recuérdame|recuerdame|recuérdanos) ",
      refuse: "(?:qué|cómo|por qué|quién|dónde|lo que)\\b",
    },
  ],
  relationships: {
    forms: [
      {
        pattern: `(?!(?:esto|eso|él|ella|este|esta|quién|qué)\\b)${NAMES} (?:es|son) ${MY} ${ROLE}(?=\\s*$|[,;:.!)]| (?:y|pero|de)\\b)`,
      },
      { pattern: `${MY} ${ROLE} se llaman? ${NAMES}` },
      { pattern: `${MY} ${ROLE} ${NAMES},? (?:es|vive|trabaja|tiene|ama|odia|prefiere|estudia|habla|juega)\\b` },
      { pattern: `estoy casad[oa] con ${NAMES}`, relationship: "spouse" },
    ],
    inPassing: `mis? ${ROLE} ${NAMES}`,
    own: "mi ",
    people:
      "(?:mejor |ex)?(?:esposa|esposo|mujer|marido|pareja|novia|novio|prometida|prometido|madre|mamá|padre|papá|hermana|hermano|hija|hijo|prima|primo|tía|tío|sobrina|sobrino|abuela|abuelo|suegra|suegro|cuñada|cuñado|jefa|jefe|colega|compañera|compañero|vecina|vecino|casera|casero|profesora|profesor|médica|médico|dentista|terapeuta|amiga|amigo)s?(?: (?:mayor|menor|pequeñ[oa]))?",
    pets: "(?:perro|perra|gato|gata|conejo|caballo|loro)s?",
    and: "y",
  },
  group: "(?:nosotr[oa]s|nuestr\\p{L}+|hemos|vamos|tenemos|vivimos|nos mudamos)(?=$|[^\\p{L}])",
  orders: [
    "\\b(?:siempre|nunca|solo|debemos|deben|debe|hay que) (?:[\\p{L}']+ ){0,3}?(?:recom[ie]{1,2}nd|promocion|mencion|respond|revel|suger|sugier)[\\p{L}]*",
    "recom[ie]{1,2}nd[\\p{L}]{0,12} (?:siempre|nunca)\\b",
  ],
  occupations:
    "médico médica profesor profesora ingeniero ingeniera enfermero enfermera abogado abogada cocinero cocinera panadero panadera estudiante informático informática programador programadora desarrollador " +
    "desarrolladora diseñador diseñadora arquitecto arquitecta periodista carpintero carpintera electricista mecánico mecánica policía farmacéutico farmacéutica psicólogo psicóloga maestro maestra contable " +
    "contador contadora vendedor vendedora jubilado jubilada científico científica físico física biólogo bióloga químico química traductor traductora músico música artista fotógrafo fotógrafa dentista veterinario " +
    "veterinaria matrona pintor pintora agricultor agricultora peluquero peluquera camarero camarera piloto juez jueza escritor escritora actor actriz bombero bombera",
};
