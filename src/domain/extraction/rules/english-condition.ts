import { starts } from "#core/language/patterns";
import { type Rule, SURE } from "./rule.ts";

const IM = "(?:i'm|im|i am) ";
const NOW = "(?:also |still |currently |now |just |actually |originally |only |both |very |severely |mildly |really )*";
const HEALTH =
  "(?:(?:type [12] |severe |chronic |mild |clinical |generali[sz]ed |social |bad ){0,2}(?:diabetes|anxiety|depression|adhd|add|asthma|autism|epilepsy|cancer|migraines?|insomnia|ptsd|ocd|arthritis|coeliac disease|celiac disease|celiac|crohn's|lupus|high blood pressure|hypertension|bipolar disorder|dyslexia|tinnitus|hay fever|an? (?:[\\p{L}-]+ ){0,2}allergy|hiv|ibs|eczema|psoriasis|scoliosis|back pain|endometriosis|anemia|anaemia|an eating disorder|a heart condition))\\b";
const FAITH =
  "(?:christian|catholic|protestant|muslim|jewish|jew|buddhist|hindu|sikh|mormon|atheist|agnostic|quaker|evangelical|orthodox)";
const SEX = "(?:gay|lesbian|bisexual|bi|queer|transgender|trans|straight|asexual|pansexual|non-?binary|genderqueer)";
const POLITICS =
  "(?:republican|democrat|conservative|liberal|socialist|communist|libertarian|anarchist|social democrat|centrist)";
const BODY =
  "(?:left-handed|left handed|right-handed|right handed|colou?r ?blind|deaf|blind|hard of hearing|near-?sighted|dyslexic|autistic|bipolar|diabetic|asthmatic|epileptic|celiac|coeliac|anemic|pregnant|disabled|an? (?:insomniac|diabetic|introvert|extrovert|night owl|early bird|morning person|twin|only child|cancer survivor|recovering alcoholic|alcoholic))";
const DIET =
  "(?:a |an |mostly |strictly |strict |lifelong )*(?:vegetarian|vegan|pescatarian|pescetarian|flexitarian|kosher|halal|carnivore|fruitarian|omnivore)";

/** Health, diet, belief, sexuality, politics and marital status: most of it is sensitive. */
export const ENGLISH_CONDITION: readonly Rule[] = [
  {
    category: "identity",
    confidence: SURE.usual,
    pattern: starts("i (?:always |usually )?voted? (?:for )?(?=(?-i:\\p{Lu})|the (?-i:\\p{Lu}))"),
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(`${IM}${NOW}${DIET}(?=\\s*$|[,;:)]| (?:and|but|since|for|because|so|now|these))`),
    key: "identity:diet",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(`${IM}${NOW}(?:allergic to|(?:lactose|gluten|fructose|histamine)[ -]intolerant|intolerant to) ?`),
    refuse: starts("(?:anything|nothing|this|that|it|bullshit|work|mornings|mondays|stupid)\\b"),
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(
      `(?:i|i've|ive) ${NOW}(?:have|suffer from|live with|got|have got) ${HEALTH}|i(?:'ve| have| was| am|'m) (?:been )?(?:recently )?diagnosed with `,
    ),
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(
      `${IM}${NOW}(?:${BODY}|(?:an? |openly |practicing |practising |devout |lapsed )*(?:${FAITH}|${SEX}|${POLITICS}))(?=\\s*$|[,;:)]| (?:and|but|since|so|with|in|voter|from|by|again|now|man|woman|person))`,
    ),
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(
      `${IM}${NOW}(?:happily |recently |newly )?(?:a single (?:mother|father|mom|mum|dad|parent)|married|single|divorced|engaged|widowed|separated)(?=\\s*$|[,;:)]| (?:and|but|with|since|for|again|now|of))`,
    ),
  },
  {
    category: "identity",
    confidence: SURE.usual,
    pattern: starts(
      "i (?:earn|make) (?:about |around |roughly |only )?[$€£]?\\d[\\d.,]{0,20} ?k?\\b(?! (?:mistakes|cakes|copies|calls|requests|changes))(?=.*\\b(?:year|month|hour|salary|per|annually|before|after|net|gross)\\b|k\\b)",
    ),
  },
  {
    category: "identity",
    confidence: SURE.usual,
    pattern: starts(
      `${IM}${NOW}(?:(?:actively )?looking for (?:an? )?(?:new )?(?:job|position|role)|job[- ]hunting|applying for jobs|in debt)\\b`,
    ),
  },
];
