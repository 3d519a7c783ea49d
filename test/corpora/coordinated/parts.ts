/**
 * Something that a person says of themselves, as parts of sentences. `i`: after the subject; `am`: after the subject and its form of "to be";
 * `own`: a clause with a subject of its own; `attached`: behind another statement, in its clause; `modifier`: beside the noun of an occupation.
 */
type Words = { i: string } | { am: string } | { own: string } | { attached: string } | { modifier: string };

/** `needle`: words by which what it says is found; `later`: what replaces it; null where nothing said later does. */
export type Part = Words & { about: string; needle: string; later: readonly string[] | null };

export type Language = {
  code: string;
  subject: string;
  subjectIs: string;
  /** Between two statements, and before the last of several. */
  joints: readonly string[];
  comma: string;
  stop: string;
  /** Where a modifier of a noun stands. */
  modifies: "before" | "behind";
  parts: readonly Part[];
};

const ENGLISH: Language = {
  code: "en",
  subject: "I ",
  subjectIs: "I'm ",
  joints: [" and ", ", and ", ", ", " but ", " and also ", "; ", " - "],
  comma: ", ",
  stop: ". ",
  modifies: "before",
  parts: [
    { about: "diet", am: "vegetarian", needle: "vegetarian", later: ["I'm not vegetarian any more", "I eat meat again"] },
    { about: "diet", am: "a vegan", needle: "vegan", later: ["I'm no longer vegan", "I'm not vegan anymore"] },
    { about: "home", i: "live in Ghent", needle: "Ghent", later: ["I moved to Lyon last month", "I live in Lyon now"] },
    {
      about: "home",
      am: "based in Bristol",
      needle: "Bristol",
      later: ["I've moved to Cardiff", "I don't live in Bristol any more"],
    },
    {
      about: "work",
      i: "work at Bosch",
      needle: "Bosch",
      later: ["I work at Siemens now", "I don't work at Bosch any more", "I got laid off yesterday"],
    },
    {
      about: "occupation",
      am: "a nurse",
      needle: "nurse",
      later: ["I'm a plumber now", "I work as a gardener now", "I retired last month"],
    },
    { about: "occupation", i: "work as a welder", needle: "welder", later: ["I work as a baker now", "I quit my job"] },
    { about: "name", own: "my name is Casimir", needle: "Casimir", later: ["my name is Robin now"] },
    { about: "age", am: "41 years old", needle: "41 years", later: ["I'm 42 years old now"] },
    { about: "origin", am: "from Braga", needle: "Braga", later: ["I'm from Porto, not from there as I wrote"] },
    { about: "partner", am: "dating Daniel", needle: "Daniel", later: ["we broke up", "I'm single again"] },
    {
      about: "color",
      own: "my favorite color is teal",
      needle: "teal",
      later: ["my favorite color is orange now", "my favourite color is red"],
    },
    { about: "food", own: "my favorite food is ramen", needle: "ramen", later: ["my favorite food is risotto these days"] },
    { about: "landlord", own: "my landlord is Mrs. Price", needle: "Price", later: ["my landlord is now Mr. Odell"] },
    { about: "language", own: "please always answer me in German", needle: "in German", later: ["answer me in English again"] },
    { about: "nuts", am: "allergic to nuts", needle: "allergic to nuts", later: null },
    { about: "coeliac", i: "have coeliac disease", needle: "coeliac", later: null },
    { about: "asthma", own: "my son has asthma", needle: "asthma", later: null },
    { about: "insulin", i: "take insulin every morning", needle: "insulin", later: null },
    { about: "epilepsy", own: "my daughter Ida has epilepsy", needle: "epilepsy", later: null },
    { about: "cello", i: "play the cello", needle: "cello", later: null },
    { about: "shellfish", i: "can't eat shellfish", needle: "shellfish", later: null },
    { about: "knee", i: "need a new knee", needle: "knee", later: null },
    { about: "wheelchair", attached: "with my brother who uses a wheelchair", needle: "wheelchair", later: null },
    { about: "diabetic", attached: "with my diabetic mother", needle: "diabetic", later: null },
    { about: "peanuts", attached: "as somebody who can't have peanuts", needle: "peanuts", later: null },
    { about: "migraine", attached: "despite my migraines", needle: "migraine", later: null },
    { about: "dialysis", attached: "for dialysis", needle: "dialysis", later: null },
    { about: "oxygen", attached: "on oxygen", needle: "oxygen", later: null },
    { about: "single parent", attached: "as a single parent", needle: "single parent", later: null },
    { about: "witness protection", attached: "under witness protection", needle: "witness protection", later: null },
    { about: "91,000", attached: "for 91,000", needle: "91,000", later: null },
    { about: "diabetic", modifier: "diabetic", needle: "diabetic", later: null },
    { about: "deaf", modifier: "deaf", needle: "deaf", later: null },
    { about: "Muslim", modifier: "Muslim", needle: "Muslim", later: null },
    { about: "one-armed", modifier: "one-armed", needle: "one-armed", later: null },
    { about: "recovering-alcoholic", modifier: "recovering-alcoholic", needle: "recovering-alcoholic", later: null },
  ],
};

const GERMAN: Language = {
  code: "de",
  subject: "Ich ",
  subjectIs: "Ich bin ",
  joints: [" und ", ", ", ", aber ", " und außerdem ", "; "],
  comma: ", ",
  stop: ". ",
  modifies: "before",
  parts: [
    {
      about: "diet",
      am: "Vegetarier",
      needle: "Vegetarier",
      later: ["Ich bin kein Vegetarier mehr", "Ich esse jetzt wieder Fleisch"],
    },
    { about: "diet", am: "vegan", needle: "vegan", later: ["Ich bin nicht mehr vegan"] },
    {
      about: "home",
      i: "wohne in Graz",
      needle: "Graz",
      later: ["Ich bin nach Wien gezogen", "Ich wohne jetzt in Linz", "Ich wohne nicht mehr in Graz"],
    },
    {
      about: "work",
      i: "arbeite bei Bosch",
      needle: "Bosch",
      later: ["Ich arbeite jetzt bei Siemens", "Ich habe bei Bosch gekündigt"],
    },
    { about: "occupation", i: "arbeite als Lehrerin", needle: "Lehrerin", later: ["Ich arbeite jetzt als Köchin"] },
    { about: "age", am: "41 Jahre alt", needle: "41 Jahre", later: ["Ich bin jetzt 42 Jahre alt"] },
    { about: "origin", i: "komme aus Passau", needle: "Passau", later: ["Ich komme aus Straubing, da habe ich mich vertippt"] },
    {
      about: "color",
      own: "meine Lieblingsfarbe ist Türkis",
      needle: "Türkis",
      later: ["Meine Lieblingsfarbe ist jetzt Orange"],
    },
    {
      about: "landlord",
      own: "mein Vermieter heißt Herr Brandt",
      needle: "Brandt",
      later: ["Mein Vermieter heißt jetzt Herr Ohm"],
    },
    { about: "nuts", am: "allergisch gegen Nüsse", needle: "Nüsse", later: null },
    { about: "coeliac", i: "habe Zöliakie", needle: "Zöliakie", later: null },
    { about: "asthma", own: "mein Sohn hat Asthma", needle: "Asthma", later: null },
    { about: "insulin", i: "spritze jeden Morgen Insulin", needle: "Insulin", later: null },
    { about: "epilepsy", own: "meine Tochter Ida hat Epilepsie", needle: "Epilepsie", later: null },
    { about: "cello", i: "spiele Cello", needle: "Cello", later: null },
    { about: "diabetic", attached: "mit meiner zuckerkranken Mutter", needle: "zuckerkranken", later: null },
    { about: "wheelchair", attached: "mit meinem Bruder, der im Rollstuhl sitzt", needle: "Rollstuhl", later: null },
    { about: "migraine", attached: "trotz meiner Migräne", needle: "Migräne", later: null },
    { about: "Dialyse", attached: "zur Dialyse", needle: "Dialyse", later: null },
    { about: "Chemo", attached: "während der Chemo", needle: "Chemo", later: null },
    { about: "gehörlose", modifier: "gehörlose", needle: "gehörlose", later: null },
    { about: "einarmige", modifier: "einarmige", needle: "einarmige", later: null },
  ],
};

const SPANISH: Language = {
  code: "es",
  subject: "",
  subjectIs: "Soy ",
  joints: [" y ", ", ", " pero ", " y además ", "; "],
  comma: ", ",
  stop: ". ",
  modifies: "behind",
  parts: [
    { about: "diet", am: "vegetariana", needle: "vegetariana", later: ["Ya no soy vegetariana", "Vuelvo a comer carne"] },
    {
      about: "home",
      i: "vivo en Sevilla",
      needle: "Sevilla",
      later: ["Me mudé a Bilbao", "Ahora vivo en Bilbao", "Ya no vivo en Sevilla"],
    },
    { about: "work", i: "trabajo en Correos", needle: "Correos", later: ["Ya no trabajo en Correos", "Ahora trabajo en Renfe"] },
    { about: "occupation", i: "trabajo como cocinera", needle: "cocinera", later: ["Ahora trabajo como jardinera"] },
    { about: "age", i: "tengo 41 años", needle: "41 años", later: ["Ya tengo 42 años", "Tengo 42 años"] },
    { about: "name", i: "me llamo Casilda", needle: "Casilda", later: ["Me llamo Robin ahora"] },
    {
      about: "color",
      own: "mi color favorito es el turquesa",
      needle: "turquesa",
      later: ["Mi color favorito es ahora el naranja"],
    },
    { about: "nuts", am: "alérgica a los frutos secos", needle: "frutos secos", later: null },
    { about: "coeliac", am: "celíaca", needle: "celíaca", later: null },
    { about: "asthma", own: "mi hijo tiene asma", needle: "asma", later: null },
    { about: "insulin", i: "me pincho insulina cada mañana", needle: "insulina", later: null },
    { about: "epilepsy", own: "mi hija Ida tiene epilepsia", needle: "epilepsia", later: null },
    { about: "cello", i: "toco el violonchelo", needle: "violonchelo", later: null },
    { about: "diabetic", attached: "con mi madre diabética", needle: "diabética", later: null },
    { about: "wheelchair", attached: "con mi hermano, que va en silla de ruedas", needle: "ruedas", later: null },
    { about: "migraine", attached: "a pesar de mis migrañas", needle: "migrañas", later: null },
    { about: "diálisis", attached: "por la diálisis", needle: "diálisis", later: null },
    { about: "oxígeno", attached: "bajo oxígeno", needle: "oxígeno", later: null },
    { about: "sorda", modifier: "sorda", needle: "sorda", later: null },
    { about: "musulmana", modifier: "musulmana", needle: "musulmana", later: null },
  ],
};

const FRENCH: Language = {
  code: "fr",
  subject: "Je ",
  subjectIs: "Je suis ",
  joints: [" et ", ", ", " mais ", " et aussi ", "; "],
  comma: ", ",
  stop: ". ",
  modifies: "behind",
  parts: [
    {
      about: "diet",
      am: "végétarienne",
      needle: "végétarienne",
      later: ["Je ne suis plus végétarienne", "Je remange de la viande"],
    },
    {
      about: "home",
      i: "vis à Nantes",
      needle: "Nantes",
      later: ["J'ai déménagé à Lille", "Je ne vis plus à Nantes", "J'habite à Lille maintenant"],
    },
    {
      about: "work",
      i: "travaille chez Renault",
      needle: "Renault",
      later: ["Je travaille chez Airbus maintenant", "J'ai quitté mon travail"],
    },
    {
      about: "occupation",
      i: "travaille comme cuisinière",
      needle: "cuisinière",
      later: ["Je travaille comme jardinière maintenant"],
    },
    { about: "name", i: "m'appelle Casimir", needle: "Casimir", later: ["Je m'appelle Robin maintenant"] },
    {
      about: "color",
      own: "ma couleur préférée est le turquoise",
      needle: "turquoise",
      later: ["Ma couleur préférée est l'orange maintenant"],
    },
    { about: "nuts", am: "allergique aux noix", needle: "noix", later: null },
    { about: "coeliac", am: "cœliaque", needle: "cœliaque", later: null },
    { about: "asthma", own: "mon fils a de l'asthme", needle: "asthme", later: null },
    { about: "insulin", i: "prends de l'insuline chaque matin", needle: "insuline", later: null },
    { about: "epilepsy", own: "ma fille Ida est épileptique", needle: "épileptique", later: null },
    { about: "cello", i: "joue du violoncelle", needle: "violoncelle", later: null },
    { about: "diabetic", attached: "avec ma mère diabétique", needle: "diabétique", later: null },
    { about: "wheelchair", attached: "avec mon frère qui est en fauteuil roulant", needle: "fauteuil", later: null },
    { about: "migraine", attached: "malgré mes migraines", needle: "migraines", later: null },
    { about: "dialyse", attached: "pour ma dialyse", needle: "dialyse", later: null },
    { about: "oxygène", attached: "sous oxygène", needle: "oxygène", later: null },
    { about: "sourde", modifier: "sourde", needle: "sourde", later: null },
    { about: "musulmane", modifier: "musulmane", needle: "musulmane", later: null },
  ],
};

const CHINESE: Language = {
  code: "zh",
  subject: "我",
  subjectIs: "我是",
  joints: ["，", "，而且", "，但", "，也", "；"],
  comma: "，",
  stop: "。",
  modifies: "before",
  parts: [
    { about: "diet", i: "吃素", needle: "吃素", later: ["我不吃素了", "我现在开始吃肉了，不再吃素"] },
    { about: "home", i: "住在青岛", needle: "青岛", later: ["我搬到了成都", "我现在住在成都", "我不住在青岛了"] },
    { about: "work", i: "在华为工作", needle: "华为", later: ["我现在在小米工作", "我辞职了"] },
    { about: "occupation", am: "护士", needle: "护士", later: ["我现在是老师"] },
    { about: "age", i: "今年41岁", needle: "41岁", later: ["我今年42岁"] },
    { about: "color", own: "我最喜欢的颜色是绿色", needle: "绿色", later: ["我最喜欢的颜色是橙色"] },
    { about: "nuts", i: "对坚果过敏", needle: "坚果", later: null },
    { about: "coeliac", i: "有乳糜泻", needle: "乳糜泻", later: null },
    { about: "asthma", own: "我儿子有哮喘", needle: "哮喘", later: null },
    { about: "insulin", i: "每天早上打胰岛素", needle: "胰岛素", later: null },
    { about: "epilepsy", own: "我女儿有癫痫", needle: "癫痫", later: null },
    { about: "cello", i: "会拉大提琴", needle: "大提琴", later: null },
    { about: "透析", attached: "做透析", needle: "透析", later: null },
    { about: "糖尿病", modifier: "糖尿病", needle: "糖尿病", later: null },
    { about: "聋哑", modifier: "聋哑", needle: "聋哑", later: null },
  ],
};

export const LANGUAGES: readonly Language[] = [ENGLISH, GERMAN, SPANISH, FRENCH, CHINESE];
