import type { Forms } from "#core/language/statement-forms";

const ADV = "(?:(?:bien|vraiment|aussi|toujours|maintenant|actuellement|encore) )*";
const NAME = "(?-i:(?:(?:M|Mme|Mlle|Dr)\\.? )?\\p{Lu}[\\p{L}'-]*(?: \\p{Lu}[\\p{L}'-]+){0,2})";
const NAMES = `(?<names>${NAME}(?:(?:, | et | & )${NAME}){0,5})`;
const ROLE = "(?<role>[\\p{L}-]+(?: [\\p{L}-]+)??)";
const MY = "(?:mon|ma|mes|notre|nos)";

export const FRENCH_FORMS: Forms = {
  statements: [
    { key: "name", pattern: "(?:moi,? )?(?:je m'appelle|mon nom est|mon prénom est) (?=(?-i:\\p{Lu}))" },
    {
      key: "home",
      pattern: `(?:j'habite|nous habitons|je vis|nous vivons) ${ADV}(?:à|en|au|aux|dans|près de|sur) `,
      refuse: "un rêve|la peur|l'espoir",
    },
    {
      key: "home",
      pattern:
        "(?:j'ai|nous avons|on a) (?:récemment )?(?:déménagé|emménagé) (?:à|en|au|aux|dans) |je viens de (?:déménager|m'installer) (?:à|en|au) |je me suis installée? (?:à|en|au) ",
    },
    { key: "occupation", pattern: `je travaille ${ADV}(?:comme|en tant que) `, refuse: "un fou|prévu" },
    {
      key: "occupation",
      pattern: "je suis (?:une? )?(?<calling>[\\p{L}-]+)(?=\\s*$|[,;:.!)]| (?:et|mais|à|en|chez|de|au)(?: |$))",
    },
    {
      key: "work",
      pattern: `je travaille ${ADV}(?:chez|pour|à l'|au) ?`,
      refuse: "moi\\b|maison|moment|la maison",
    },
    { key: "age", pattern: "j'ai \\d{1,3} ans(?=\\s*$|[,;:.!)]| et)" },
    { key: "origin", pattern: "je (?:viens|suis originaire) (?:de |d'|du )(?=(?-i:\\p{Lu}))" },
    { key: "birthday", pattern: "mon anniversaire est le " },
    {
      key: "diet",
      pattern:
        "je suis (?:une? )?(?:végétarien(?:ne)?|végane?|vegan|pescétarien(?:ne)?)(?=\\s*$|[,;:.!)]| (?:et|mais|depuis)\\b)",
    },
    {
      key: "favorite",
      pattern:
        "(?:mon|ma|mes) (?<noun>[\\p{L}-]+(?: de [\\p{L}]+)?) (?:préférée?s?|favorite?s?) (?:est|sont|c'est|reste) (?!pas\\b)",
      refuse: "\\W*$|\\.\\.",
    },
  ],
  remember:
    "(?:s'il te plaît,? |stp,? )?(?:souviens-toi|rappelle-toi|n'oublie (?:pas|jamais)|note(?: bien)?|garde en tête|retiens(?: bien)?|sache)(?: s'il te plaît)? (?:que |qu')|(?:souviens-toi|note|retiens) ?: ",
  notRemembered: "(?:ta|ton|ça)\\b",
  reminders: [
    {
      pattern: "(?:s'il te plaît,? |stp,? )?(?:rappelle(?:z)?-(?:moi|nous)|fais-moi penser) (?:de |d'|à |que )",
    },
  ],
  relationships: {
    forms: [
      {
        pattern: `(?!(?:ce|c'est|il|elle|ça|qui|voici)\\b)${NAMES} (?:est|sont) ${MY} ${ROLE}(?=\\s*$|[,;:.!)]| (?:et|mais|de)\\b)`,
      },
      { pattern: `${MY} ${ROLE} s'appelle(?:nt)? ${NAMES}` },
      {
        pattern: `${MY} ${ROLE} ${NAMES},? (?:est|vit|habite|travaille|a|aime|adore|déteste|préfère|étudie|parle)(?= )`,
      },
      { pattern: `je suis mariée? (?:à|avec) ${NAMES}`, relationship: "spouse" },
    ],
    inPassing: `(?:mon|ma|mes) ${ROLE} ${NAMES}`,
    own: "(?:mon|ma) ",
    people:
      "(?:(?:meilleure?|petite?|grande?|ex|nouvelle?|nouveau) )?(?:femme|épouse|mari|époux|compagne|compagnon|copine|copain|petite amie|petit ami|fiancée?|mère|maman|père|papa|sœur|soeur|frère|fille|fils|cousine?|tante|oncle|nièce|neveu|grand-mère|grand-père|belle-mère|beau-père|belle-sœur|beau-frère|patron(?:ne)?|chef(?:fe)?|collègue|voisine?|colocataire|coloc|propriétaire|professeure?|médecin|dentiste|psy|thérapeute|amie?|enfant|parent)s?(?: aînée?| cadette?)?",
    pets: "(?:chien|chienne|chat|chatte|lapin|cheval|perroquet)s?",
    and: "et",
  },
  group: "(?:nous|notre|nos|on (?:a|va|doit|ne|est|se|y))(?=$|[^\\p{L}])",
  orders: [
    "\\b(?:toujours|jamais|doit|doivent|devons|faut) (?:[\\p{L}']+ ){0,3}?(?:recommand|promouvoir|mentionn|répond|révél|sugg[eé]r|conseill)[\\p{L}]*",
    "recommand[\\p{L}]{0,12} (?:toujours|jamais)\\b",
  ],
  occupations:
    "médecin professeur professeure prof enseignant enseignante ingénieur ingénieure infirmier infirmière avocat avocate cuisinier cuisinière boulanger boulangère étudiant étudiante informaticien informaticienne " +
    "programmeur programmeuse développeur développeuse designer architecte journaliste menuisier menuisière électricien électricienne mécanicien mécanicienne policier policière pharmacien pharmacienne psychologue " +
    "instituteur institutrice comptable vendeur vendeuse retraité retraitée scientifique chercheur chercheuse physicien physicienne biologiste chimiste traducteur traductrice musicien musicienne artiste photographe " +
    "dentiste vétérinaire peintre agriculteur agricultrice coiffeur coiffeuse serveur serveuse pilote juge écrivain écrivaine acteur actrice pompier pompière",
};
