import type { Forms } from "#core/language/statement-forms";

const ADV =
  "(?:(?:sehr|wirklich|total|auch|einfach|eigentlich|immer|noch|gerade|jetzt|wieder|inzwischen|mittlerweile|aktuell|derzeit|seit [\\p{L}0-9]+) )*";
const NAME = "(?-i:(?:(?:Dr|Prof|Frau|Herr)\\.? )?\\p{Lu}[\\p{L}'-]*(?: \\p{Lu}[\\p{L}'-]+){0,2})";
const NAMES = `(?<names>${NAME}(?:(?:, | und | & )${NAME}){0,5})`;
const MY = "(?:mein|unser)(?:e|er|em|en|es)?";
const ADJECTIVE =
  "(?:beste[rn]?|kleine[rn]?|große[rn]?|ältere[rn]?|jüngere[rn]?|ältest[ern]{1,2}|jüngst[ern]{1,2}|neue[rn]?|gute[rn]?|alte[rn]?) ";
const ROLE = `(?<role>(?:${ADJECTIVE})?[\\p{L}-]+)`;

export const GERMAN_FORMS: Forms = {
  statements: [
    { key: "name", pattern: "ich hei(?:ß|ss)e (?=(?-i:\\p{Lu}))|mein name ist (?=(?-i:\\p{Lu}))" },
    { key: "name", pattern: "ich [^,;:]{1,40} heiße(?=\\W*$)", only: "remembered" },
    {
      key: "home",
      pattern: `ich ${ADV}(?:wohne|lebe) ${ADV}(?:in|bei|nahe|am|im|auf|außerhalb von)\\b `,
      refuse: ".*\\b(?:nicht|würde)\\b|angst|der (?:vergangenheit|hoffnung)",
    },
    {
      key: "home",
      pattern: "(?:ich bin|wir sind) (?!nicht\\b)(?:[^,;:]{0,40} )?(?:nach|in die|aufs?) [^,;:]{2,40} (?:um)?gezogen\\b",
    },
    {
      key: "home",
      pattern: "ich (?:[^,;:]{0,30} )?(?:in|bei|nahe|am) [^,;:]{2,60} (?:wohne|lebe)(?=\\W*$)",
      only: "remembered",
    },
    { key: "occupation", pattern: `ich arbeite ${ADV}als ` },
    {
      key: "occupation",
      pattern:
        "ich bin (?:von beruf |gelernte[rn]? |eine?n? |selbstständige[rn]? )?(?<calling>[\\p{L}-]+)(?=\\s*$|[,;:.!)]| (?:und|aber|in|bei|an|von)\\b)",
    },
    { key: "work", pattern: `ich arbeite ${ADV}(?:bei|beim|für) `, refuse: "nacht|mich\\b|dich\\b" },
    { key: "age", pattern: "ich bin (?:jetzt |gerade )?\\d{1,3}(?= jahre|\\s*$)" },
    {
      key: "origin",
      pattern: "ich komme (?:ursprünglich )?aus (?=(?-i:\\p{Lu}))",
      refuse: "zeit|spaß",
    },
    { key: "birthday", pattern: "mein geburtstag ist am |ich habe am (?=.*\\bgeburtstag\\b)" },
    {
      key: "diet",
      pattern: `ich bin ${ADV}(?:eine? )?(?:vegetarierin|vegetarier|vegetarisch|veganerin|veganer|vegan|pescetarier)(?=\\s*$|[,;:.!)]| (?:und|aber|seit)\\b)`,
    },
    {
      key: "diet",
      pattern: "ich (?:vegan|vegetarier(?:in)?|veganer(?:in)?) bin(?=\\W*$)",
      only: "remembered",
    },
    {
      key: "favorite",
      pattern: "meine? lieblings-?(?<noun>\\p{L}+) (?:ist|sind|bleibt) (?!nicht\\b|kein)",
      refuse: "\\W*$|\\.\\.",
    },
  ],
  remember:
    "(?:bitte )?(?:merk(?:e)? dir|denk(?:e)? (?:bitte )?dar(?:an)|vergiss (?:bitte )?nicht|beachte?|behalte im (?:kopf|hinterkopf)|notiere?)(?: bitte)?,? (?:dass )|(?:bitte )?merk(?:e)? dir: ",
  notRemembered: "(?:deine?|dies|das|.*\\bdu)\\b",
  reminders: [
    { pattern: "(?:bitte )?erinnere? mich (?:bitte |morgen |heute |später )?(?:daran|an)\\b" },
    { pattern: "lass mich nicht vergessen\\b" },
  ],
  relationships: {
    forms: [
      {
        pattern: `(?!(?:das|er|sie|es|dies|ich|was|wer|hier)\\b)${NAMES} (?:ist|sind) (?:jetzt )?${MY} ${ROLE}(?=\\s*$|[,;:.!)]| (?:und|aber|aus)\\b)`,
        isHolder: true,
      },
      { pattern: `${MY} ${ROLE} (?:heißt|heißen|heisst) (?:jetzt )?(?!wie\\b)${NAMES}`, isHolder: true },
      { pattern: `${MY} ${ROLE} ist (?:jetzt )?(?=(?:Frau|Herr|Dr)\\b)${NAMES}(?=\\s*$|[,;:.!)])`, isHolder: true },
      { pattern: `${MY} ${ROLE} ${NAMES},? (?:ist|lebt|wohnt|arbeitet|mag|liebt|hasst|hat|studiert|spielt)\\b` },
      {
        pattern: `ich bin (?:glücklich )?(?:verheiratet mit|mit) ${NAMES}(?: verheiratet| verlobt| zusammen|\\s*$)`,
        relationship: "spouse",
      },
    ],
    inPassing: `mein(?:e|er|em|en|es)? ${ROLE} ${NAMES}`,
    ofOne: "chef/chefin vermieter/vermieterin zahnarzt/zahnärztin hausarzt/hausärztin therapeut/therapeutin",
    own: "mein(?:e|er|em|en|es)? ",
    people: `(?:${ADJECTIVE})?(?:Frau|Mann|Ehefrau|Ehemann|Partner|Partnerin|Freundin|Freund|Verlobte|Verlobter|Mutter|Mama|Vater|Papa|Schwester|Bruder|Sohn|Tochter|Kind|Cousin|Cousine|Onkel|Tante|Nichte|Neffe|Oma|Opa|Großmutter|Großvater|Schwiegermutter|Schwiegervater|Chef|Chefin|Vorgesetzte|Kollege|Kollegin|Kollegen|Nachbar|Nachbarin|Mitbewohner|Mitbewohnerin|Vermieter|Vermieterin|Lehrer|Lehrerin|Arzt|Ärztin|Zahnarzt|Zahnärztin|Therapeut|Therapeutin|Eltern|Kinder|Söhne|Töchter|Geschwister)`,
    pets: `(?:${ADJECTIVE})?(?:Hund|Hündin|Katze|Kater|Kaninchen|Hamster|Pferd|Papagei|Katzen|Hunde)`,
    and: "und",
  },
  group: "(?:wir|unser\\p{L}*)(?=$|[^\\p{L}])",
  orders: [
    "\\b(?:immer|stets|niemals|nie|nur|sollen?|sollten?|müssen|muss) (?:[\\p{L}']+ ){0,6}?(?:empfehlen|empfiehlt|empfehle|bewerben|antworten|erwähnen|verraten|behaupten)\\b",
  ],
  occupations:
    "arzt ärztin lehrer lehrerin ingenieur ingenieurin krankenpfleger krankenpflegerin krankenschwester anwalt anwältin koch köchin bäcker bäckerin student studentin informatiker informatikerin programmierer " +
    "programmiererin entwickler entwicklerin softwareentwickler softwareentwicklerin designer designerin architekt architektin journalist journalistin tischler tischlerin schreiner elektriker elektrikerin " +
    "mechaniker mechanikerin polizist polizistin apotheker apothekerin psychologe psychologin erzieher erzieherin buchhalter buchhalterin verkäufer verkäuferin rentner rentnerin schüler schülerin " +
    "wissenschaftler wissenschaftlerin physiker physikerin biologe biologin chemiker chemikerin übersetzer übersetzerin musiker musikerin künstler künstlerin fotograf fotografin zahnarzt zahnärztin " +
    "tierarzt tierärztin pfleger pflegerin hebamme maler malerin landwirt landwirtin bauer bäuerin friseur friseurin kellner kellnerin pilot pilotin richter richterin steuerberater steuerberaterin",
};
