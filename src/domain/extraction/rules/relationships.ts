import { anyScript, starts } from "#core/language/patterns";
import { anyCase } from "#core/text/any-case";
import { type NamedPerson, type Rule, SURE } from "./rule.ts";

/** One to three capitalised words, with a title before them. */
const NAME =
  "(?-i:(?:(?:Dr|Mr|Mrs|Ms|Prof|Frau|Herr|Sr|Sra|Mme|M)\\.? )?(?!(?:I|I'm|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|June|July|August|September|October|November|December|The|And|But)\\b)\\p{Lu}[\\p{L}'-]*(?: (?!(?:I|I'm)\\b)\\p{Lu}[\\p{L}'-]+){0,2})";
const NAMES = `(?<names>${NAME}(?:(?:, | and | & | und | y | et )${NAME}){0,5})`;
/** Between two commas: after a single comma, the next item of a list may follow ("my girlfriend, Toby and I"). */
const NAMED_BESIDE = `(?<beside>${NAME})`;
const SMALL_NAMES = `(?<names>[\\p{L}'-]+(?:(?:, | and | & )(?:[\\p{L}'-]+)){0,5})(?=\\s*$|[,;:)]| (?:and|but)\\b)`;

const PETS_EN = "dog|cat|puppy|kitten|hamster|rabbit|bunny|parrot|horse|pony|guinea pig|budgie|turtle|tortoise|goldfish|pet";
const PEOPLE_EN =
  "wife|husband|spouse|partner|fianc[ée]e?|girlfriend|boyfriend|gf|bf|mother|mom|mum|mama|father|dad|papa|sister|brother|sibling|son|daughter|child|kid|baby|toddler|twin|cousin|uncle|aunt|auntie|niece|nephew|grandmother|grandma|granny|grandfather|grandpa|granddad|grandson|granddaughter|grandchild|(?:mother|father|sister|brother|son|daughter)-in-law|stepmother|stepmom|stepfather|stepdad|stepson|stepdaughter|stepsister|stepbrother|half-?sister|half-?brother|godmother|godfather|godson|goddaughter|boss|manager|supervisor|team lead|line manager|colleague|coworker|co-worker|teammate|assistant|mentor|mentee|intern|business partner|cofounder|co-founder|teacher|professor|advisor|adviser|tutor|coach|trainer|therapist|psychologist|psychiatrist|doctor|dentist|gp|vet|lawyer|accountant|neighbou?r|roommate|flatmate|housemate|landlord|landlady|tenant|nanny|babysitter|friend|buddy|pal|bestie|bff|mate|ex|ex-wife|ex-husband|ex-girlfriend|ex-boyfriend|parents|kids|children|sons|daughters|sisters|brothers|twins|grandparents|cousins|friends|roommates|colleagues|cats|dogs|pets|siblings|nieces|nephews";
const ADJ_EN =
  "(?:(?:older|elder|younger|little|big|baby|best|oldest|eldest|youngest|twin|ex|late|new|old|good|close|dear|lovely|beautiful|dearest|only|first|second|middle|future|current|direct|former|adopted|step|line|great)[ -])*";
const ROLE = "(?<role>[\\p{L}-]+(?: [\\p{L}-]+){0,3}?)";
const MY = "(?:my|our)";
const STATES =
  "(?:lives|works|is|has|loves|likes|hates|prefers|studies|speaks|plays|teaches|owns|can't|doesn't|was born|comes|runs)";

const ENGLISH: readonly Rule[] = [
  rule(
    `(?!(?:it|this|that|he|she|here|there|who|what|which|today|coffee|tea|google|chatgpt|alexa|siri)\\b)${NAMES} (?:is|are|was) ${MY} ${ROLE}(?=\\s*$|[,;:)]| (?:and|but|from|at|who|of|since|in)\\b)`,
  ),
  rule(`${MY} ${ROLE}(?:'s| s)? (?:(?:first )?name is|(?:is|are) (?:called|named)|(?:names|name's) (?:are|is)) ${NAMES}`),
  rule(`${MY} ${ROLE}(?:'s)? (?:(?:first )?name is|(?:is|are) (?:called|named)) ${SMALL_NAMES}`),
  rule(
    `${MY} ${ROLE} is (?!(?-i:American|British|Canadian|Chinese|Dutch|English|French|German|Greek|Indian|Irish|Italian|Japanese|Korean|Mexican|Polish|Russian|Spanish|Swedish|Swiss|Turkish|Catholic|Muslim|Jewish|Christian)\\b)${NAMES}(?=\\s*$|[,;:)]| and (?:i|we|he|she)\\b)`,
  ),
  rule(`${MY} ${ROLE} ${NAMES} ${STATES}\\b`),
  rule(`(?:i|we) (?:also |still )?have (?:got )?(?:an?|one|two|three|four|five|six|\\d|twin) ${ROLE} (?:named|called) ${NAMES}`),
  rule(
    `(?:i|we)(?: have|'ve)? (?:also |still )?(?:have|got) (?:an?|one|two|three|four|five|six|\\d|twin) ${ROLE}(?=\\s*$|[,;:)]| (?:and|but|at home|named|called|who|aged|in|from)\\b)`,
  ),
  rule(`(?:i'm|im|i am|i've been) (?:happily )?(?:married to|engaged to|dating) ${NAMES}`),
];

const GERMAN_PEOPLE =
  "Frau|Mann|Ehefrau|Ehemann|Partner|Partnerin|Freundin|Freund|Verlobte|Verlobter|Mutter|Mama|Vater|Papa|Schwester|Bruder|Sohn|Tochter|Kind|Cousin|Cousine|Onkel|Tante|Nichte|Neffe|Oma|Opa|Großmutter|Großvater|Schwiegermutter|Schwiegervater|Chef|Chefin|Vorgesetzte|Kollege|Kollegin|Kollegen|Nachbar|Nachbarin|Mitbewohner|Mitbewohnerin|Vermieter|Vermieterin|Lehrer|Lehrerin|Arzt|Ärztin|Zahnarzt|Zahnärztin|Therapeut|Therapeutin|Eltern|Kinder|Söhne|Töchter|Geschwister|Katzen|Hunde";
const GERMAN_PETS = "Hund|Hündin|Katze|Kater|Kaninchen|Hamster|Pferd|Papagei";
const GERMAN_ADJ = "(?:ältere|ältester|kleine|große|beste|jüngere|neue)[rnm]? ";
const GERMAN_ROLE = "(?<role>(?:(?-i:[a-zäöüß]+) )?[\\p{L}-]+)";
const GERMAN_MY = "(?:mein|unser)(?:e|er|em|en|es)?";
const GERMAN: readonly Rule[] = [
  rule(
    `(?!(?:das|er|sie|es|dies|ich|was|wer|hier)\\b)${NAMES} (?:ist|sind) ${GERMAN_MY} ${GERMAN_ROLE}(?=\\s*$|[,;:)]| (?:und|aber|aus)\\b)`,
  ),
  rule(`${GERMAN_MY} ${GERMAN_ROLE} (?:heißt|heißen|heisst|nennt sich) (?!wie\\b)${NAMES}`),
  rule(`${GERMAN_MY} ${GERMAN_ROLE} ${NAMES},? (?:ist|lebt|wohnt|arbeitet|mag|liebt|hasst|hat|studiert|spielt)\\b`),
  rule(
    `(?:ich habe|wir haben|ich hab) (?:noch |auch )?(?:eine?n?|zwei|drei|vier|fünf|\\d) ${GERMAN_ROLE}(?=\\s*$|[,;:)]| (?:und|aber|namens)\\b)`,
  ),
  rule(`ich bin (?:glücklich )?(?:verheiratet mit|mit) ${NAMES}(?: verheiratet| verlobt| zusammen|\\s*$)`),
];

const SPANISH_PEOPLE =
  "esposa|esposo|mujer|marido|pareja|novia|novio|prometida|prometido|madre|mamá|padre|papá|hermana|hermano|hija|hijo|prima|primo|tía|tío|sobrina|sobrino|abuela|abuelo|suegra|suegro|cuñada|cuñado|jefa|jefe|colega|compañera|compañero|vecina|vecino|casera|casero|profesora|profesor|médica|médico|dentista|terapeuta|amiga|amigo|hijos|hijas|padres|hermanos|hermanas|gatos|perros";
const SPANISH_PETS = "perro|perra|gato|gata|conejo|caballo|loro";
const SPANISH_ROLE = "(?<role>[\\p{L}-]+(?: [\\p{L}-]+)??)";
const SPANISH_MY = "(?:mi|mis|nuestr[oa]s?)";
const SPANISH: readonly Rule[] = [
  rule(
    `(?!(?:esto|eso|él|ella|este|esta|quién|qué)\\b)${NAMES} (?:es|son) ${SPANISH_MY} ${SPANISH_ROLE}(?=\\s*$|[,;:)]| (?:y|pero|de)\\b)`,
  ),
  rule(`${SPANISH_MY} ${SPANISH_ROLE} se llaman? ${NAMES}`),
  rule(`${SPANISH_MY} ${SPANISH_ROLE} ${NAMES},? (?:es|vive|trabaja|tiene|ama|odia|prefiere|estudia|habla|juega)\\b`),
  rule(`(?:tengo|tenemos) (?:una?|dos|tres|cuatro|cinco|\\d) ${SPANISH_ROLE}(?=\\s*$|[,;:)]| (?:y|pero|mayor|menor)\\b)`),
  rule(`estoy casad[oa] con ${NAMES}`),
];

const FRENCH_PEOPLE =
  "femme|épouse|mari|époux|compagne|compagnon|copine|copain|petite amie|petit ami|fiancée?|mère|maman|père|papa|sœur|soeur|frère|fille|fils|cousine?|tante|oncle|nièce|neveu|grand-mère|grand-père|belle-mère|beau-père|belle-sœur|beau-frère|patron(?:ne)?|chef(?:fe)?|collègue|voisine?|colocataire|coloc|propriétaire|professeure?|médecin|dentiste|psy|thérapeute|amie?|enfants|parents|filles|frères|sœurs|chats|chiens";
const FRENCH_PETS = "chien|chienne|chat|chatte|lapin|cheval|perroquet";
const FRENCH_ROLE = "(?<role>[\\p{L}-]+(?: [\\p{L}-]+)??)";
const FRENCH_MY = "(?:mon|ma|mes|notre|nos)";
const FRENCH: readonly Rule[] = [
  rule(
    `(?!(?:ce|c'est|il|elle|ça|qui|voici)\\b)${NAMES} (?:est|sont) ${FRENCH_MY} ${FRENCH_ROLE}(?=\\s*$|[,;:)]| (?:et|mais|de)\\b)`,
  ),
  rule(`${FRENCH_MY} ${FRENCH_ROLE} s'appelle(?:nt)? ${NAMES}`),
  rule(`${FRENCH_MY} ${FRENCH_ROLE} ${NAMES},? (?:est|vit|habite|travaille|a|aime|adore|déteste|préfère|étudie|parle)(?= )`),
  rule(`(?:j'ai|nous avons|on a) (?:une?|deux|trois|quatre|cinq|\\d) ${FRENCH_ROLE}(?=\\s*$|[,;:)]| (?:et|mais|aîn|cadet))`),
  rule(`je suis mariée? (?:à|avec) ${NAMES}`),
];

const CHINESE_PEOPLE =
  "妻子|老婆|太太|爱人|丈夫|老公|先生|女朋友|男朋友|女友|男友|未婚妻|未婚夫|妈妈|母亲|爸爸|父亲|姐姐|妹妹|哥哥|弟弟|儿子|女儿|孩子|表姐|表弟|叔叔|阿姨|奶奶|爷爷|外婆|外公|老板|上司|经理|同事|室友|邻居|房东|老师|医生|朋友|闺蜜";
const CHINESE_NAME = "[\\p{Script=Han}A-Za-z·]{1,8}?";
const CHINESE: readonly Rule[] = [
  rule(`(?![他她它这那谁我你])(?<names>${CHINESE_NAME})是我们?的?(?<role>(?:最好的)?(?:${CHINESE_PEOPLE}))$`),
  rule(`我们?的?(?<role>${CHINESE_PEOPLE})(?:名字)?(?:叫|是叫)(?!什么|我|你|他|她)(?<names>${CHINESE_NAME})$`),
  rule(`我们?的?(?<role>狗|猫|小狗|小猫|兔子|宠物)(?:名字)?叫(?!什么|个不停)(?<names>${CHINESE_NAME})$`),
  rule(`我们?有(?:一|两|二|三|四|[1-9])(?:个|只|条)(?:${CHINESE_PEOPLE}|狗|猫|小狗|小猫|兔子)$`),
];

export const RELATIONSHIPS = { en: ENGLISH, de: GERMAN, es: SPANISH, fr: FRENCH, zh: CHINESE };

/** Persons and pets named beside the statement ("I took my dog Max to the vet"). */
export const IN_PASSING: readonly RegExp[] = [
  new RegExp(anyCase(anyScript(`(?<![\\p{L}'-])my ${ROLE}(?: ${NAMES}|, ${NAMED_BESIDE}(?=,))(?!['\\u2019]s\\b)`)), "g"),
  new RegExp(anyCase(anyScript(`(?<![\\p{L}'-])mein(?:e|er|em|en|es)? ${GERMAN_ROLE} ${NAMES}`)), "g"),
  new RegExp(anyCase(anyScript(`(?<![\\p{L}'-])mis? ${SPANISH_ROLE} ${NAMES}`)), "g"),
  new RegExp(anyCase(anyScript(`(?<![\\p{L}'-])(?:mon|ma|mes) ${FRENCH_ROLE} ${NAMES}`)), "g"),
];

const PETS = new RegExp(
  `(?:^|[ -])(?:${PETS_EN}|cats|dogs|pets|${GERMAN_PETS}|Katzen|Hunde|${SPANISH_PETS}|gatos|perros|${FRENCH_PETS}|chats|chiens|狗|猫|小狗|小猫|兔子|宠物)s?$`,
  "iu",
);
const SINGULAR: Readonly<Record<string, string>> = {
  parents: "parent",
  kids: "kid",
  children: "child",
  sons: "son",
  daughters: "daughter",
  sisters: "sister",
  brothers: "brother",
  twins: "twin",
  grandparents: "grandparent",
  cousins: "cousin",
  friends: "friend",
  siblings: "sibling",
  nieces: "niece",
  nephews: "nephew",
  colleagues: "colleague",
  roommates: "roommate",
};

/** The persons in a match's groups. Pets are not persons. */
export function peopleOf(groups: Readonly<Record<string, string | undefined>> | undefined, clause: string): NamedPerson[] {
  const names = groups?.names ?? groups?.beside;
  if (names === undefined) return [];
  const role = groups?.role?.toLowerCase() === groups?.role ? groups?.role : roleAsWritten(groups?.role);
  if (role !== undefined && PETS.test(role)) return [];
  const relationship =
    role ?? (/^(?:i'm|im|i am) .*engaged/iu.test(clause) ? "fiancé" : /dating/iu.test(clause) ? "partner" : "spouse");
  return names
    .split(/, | and | & | und | y | et /u)
    .map((name) => ({ name: name.trim(), relationship: SINGULAR[relationship] ?? relationship }));
}

/** German nouns keep their capital; a word in capitals does not. */
function roleAsWritten(role: string | undefined): string | undefined {
  return role === undefined || role !== role.toUpperCase() ? role : role.toLowerCase();
}

const ROLES = new RegExp(
  anyScript(
    `^(?:${ADJ_EN}(?:${PEOPLE_EN}|${PETS_EN})s?|(?:${GERMAN_ADJ})?(?:${GERMAN_PEOPLE}|${GERMAN_PETS})|(?:mejor |ex)?(?:${SPANISH_PEOPLE}|${SPANISH_PETS})s?(?: (?:mayor|menor|pequeñ[oa]))?|(?:(?:meilleure?|petite?|grande?|ex|nouvelle?|nouveau) )?(?:${FRENCH_PEOPLE}|${FRENCH_PETS})s?(?: aînée?| cadette?)?|(?:最好的)?(?:${CHINESE_PEOPLE}|狗|猫|小狗|小猫|兔子|宠物))$`,
  ),
  "i",
);

/** Whether the words name a relationship. */
export function isRole(words: string): boolean {
  return ROLES.test(words);
}

function rule(source: string): Rule {
  return {
    category: "relationship",
    confidence: SURE.plain,
    pattern: starts(source),
    accepts: ({ role }) => role === undefined || isRole(role),
  };
}
