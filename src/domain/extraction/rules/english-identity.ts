import { starts } from "#core/language/patterns";
import { isOccupation } from "./occupations.ts";
import { type Rule, SURE } from "./rule.ts";

const IM = "(?:i'm|im|i am) ";
const NOW = "(?:also |still |currently |now |just |actually |originally |only |both |very |severely |mildly |really )*";
const PLACE_WORD =
  "(?:city|cities|village|town|countryside|country|suburbs?|coast|flat|house|apartment|place|north|south|east|west|farm|island|centre|center|mountains|district|state|condo|studio|dorm)";
export const DEMONYM =
  "american|australian|austrian|argentinian|belgian|brazilian|british|bulgarian|canadian|chilean|chinese|colombian|croatian|cuban|czech|danish|dutch|egyptian|english|estonian|filipino|finnish|french|german|ghanaian|greek|hungarian|icelandic|indian|indonesian|iranian|iraqi|irish|israeli|italian|jamaican|japanese|kenyan|korean|latvian|lebanese|lithuanian|malaysian|mexican|moroccan|nigerian|norwegian|pakistani|palestinian|peruvian|polish|portuguese|romanian|russian|scottish|serbian|slovak|slovenian|south african|spanish|swedish|swiss|syrian|taiwanese|thai|tunisian|turkish|ukrainian|venezuelan|vietnamese|welsh";

const SLOTS: Readonly<Record<string, string>> = {
  "(?:full |first |real |given )?name": "name",
  "(?:last name|surname|family name|middle name)": "surname",
  nickname: "called",
  "(?:birthday|date of birth|birth date)": "birthday",
  "(?:preferred )?pronouns": "pronouns",
  "time ?zone": "timezone",
  "(?:native language|mother tongue|first language)": "native_language",
  "home ?town": "hometown",
  nationality: "nationality",
  "(?:current )?(?:job|occupation|profession|job title)": "occupation",
  age: "age",
  height: "height",
  "shoe size": "shoe_size",
  "star sign|zodiac sign": "star_sign",
};

const NOT_A_NAME =
  "(?:\\W*$|not\\b|mud\\b|legion\\b|out there|all over|misspelled|wrong|missing|broken|what\\b|too\\b|hard\\b|on\\b(?! (?:the )?(?:\\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))|in the form|spelled|coming up|a (?:nightmare|disaster|joke|mess|pain)|boring|stressful|killing|terrible|great|\\.\\.|___?)";

const slots: readonly Rule[] = Object.entries(SLOTS).map(([words, slot]) => ({
  category: "identity",
  confidence: SURE.plain,
  pattern: starts(`my (?:${words})(?: is|'s| are) `),
  refuse: starts(NOT_A_NAME),
  key: `identity:${slot}`,
}));

const WORKPLACE_REFUSE = starts(
  "(?:night|home|the moment|weekends?|free|fun|hours|days|least|a living|myself|a while|now|it\\b|that\\b|this\\b|___?|\\d|all\\b|my best|different hours|peanuts)",
);
export const HOME_REFUSE = starts(
  "(?:hope|fear|peace|constant|denial|the (?:moment|past|future|now|story|game|house|room|clouds?)\\b|my (?:head|own world|dreams)|a (?:bubble|dream|fantasy|simulation|world)|this\\b|that\\b|it\\b|%|_|your?\\b|\\W*$|harmony|sin\\b|times)",
);

/** Tools that people "move to" without leaving their home. */
export const TOOL =
  "(?:typescript|javascript|python|rust|go|golang|java|kotlin|swift|postgres\\w*|mysql|sqlite|mongodb|redis|aws|azure|gcp|linux|ubuntu|debian|arch|nixos|fedora|windows|mac|macos|android|ios|vim|neovim|emacs|vs ?code|react|vue|svelte|angular|github|gitlab|jira|notion|obsidian|slack|teams|discord|kubernetes|docker|firefox|chrome|trash|archive|plan b|done)\\b(?! (?:city|state|county))";

export const ENGLISH_IDENTITY: readonly Rule[] = [
  ...slots,
  {
    category: "identity",
    confidence: SURE.usual,
    pattern: starts("(?:the )?name(?: is|'s) (?=(?-i:\\p{Lu}\\p{Ll}+(?: \\p{Lu}\\p{Ll}+)?(?:\\W*$|,)))"),
    key: "identity:name",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(`(?:i|we) ${NOW}live (?:right |just |close |down |up |over |out )?(?:in|near|outside|on the|by the|at) `),
    refuse: HOME_REFUSE,
    key: "identity:home",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(`(?:i've been living|i'm living|im living|i am living) (?:in|near|outside) `),
    refuse: HOME_REFUSE,
    key: "identity:home",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(`${IM}${NOW}based in `),
    refuse: HOME_REFUSE,
    key: "identity:home",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(
      `(?:i|i've|ive|i have|we|we've|we have) (?:just |recently |finally |actually |now )?(?:moved|relocated) (?:back |over |out |down |up |here )?(?:to|from [\\p{L} ]{2,30} to|into) `,
    ),
    refuse: starts(
      `(?:(?:the|a|an|another|our|my) (?!(?:[\\p{L}-]+ ){0,2}${PLACE_WORD}\\b|(?-i:[\\p{Lu}]))|it\\b|this\\b|that\\b|\\d|next\\b|(?:step|chapter|line|page|section|slide|level|row|version|branch|main|master|production|staging)\\b|${TOOL}|\\W*$)`,
    ),
    behindLead: true,
    key: "identity:home",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(
      `i ${NOW}(?:work|am working) (?:full[- ]time |part[- ]time |remotely )?as (?:an? |the )?|i'm working as (?:an? )?`,
    ),
    refuse: starts("(?:expected|intended|well|much|hard|long|little|before|usual|i\\b|it\\b|if\\b|\\W*$)"),
    key: "identity:occupation",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(`i ${NOW}work (?:full[- ]time |part[- ]time |remotely )?(?:at|for) |i'm (?:currently )?working (?:at|for) `),
    refuse: WORKPLACE_REFUSE,
    key: "identity:work",
  },
  {
    category: "identity",
    confidence: SURE.usual,
    pattern: starts(
      `i ${NOW}work in (?!progress|___?|this|that|it\\b|the (?:morning|evening|afternoon|same)|my|batches|parallel|sprints)[\\p{L}]`,
    ),
  },
  {
    category: "identity",
    confidence: SURE.usual,
    pattern: starts(
      `i ${NOW}(?:study|teach|am studying|major in|am majoring in) |i'm (?:currently )?(?:studying|majoring in) |i go to (?=[\\p{L} ]{2,40}(?:university|college|high school)\\b)`,
    ),
    refuse: starts("(?:for|it|this|that|hard|how|what|every|a lot|you|myself)\\b|\\W*$"),
  },
  {
    category: "identity",
    confidence: SURE.usual,
    pattern: starts(`(?:${IM}${NOW}|i've been |ive been |i have been |i(?:'ve| have)? (?:just )?started )learning (?:how )?`),
    refuse: starts(
      "(?:(?:an? )?(?:whole )?(?:lot|bit|ton|load|bunch|heap)s?\\b|so\\b|too\\b|much\\b|more\\b|some|nothing|anything|everything|new (?:things|stuff)|about\\b|that\\b|this\\b|these\\b|it\\b|from\\b|as\\b|every|the (?:hard|ropes|basics of this)|here|fast|slowly|not to|to (?:be|live|love|cope|accept|trust|let|say|appreciate|deal|enjoy|like)\\b|curve|your?\\b|\\W*$)",
    ),
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(`${IM}${NOW}an? (?!not\\b|fan of)(?=(?<calling>[\\p{L}'-]+(?: [\\p{L}'-]+){0,4}))`),
    refuse: starts("\\W*(?:wannabe|at heart|'s)\\b"),
    key: "identity:occupation",
    accepts: ({ calling }) => isOccupation(calling ?? ""),
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(
      `${IM}(?:the |an? )?(?:former |retired )?(?:head|director|vp|vice president|cto|ceo|cfo|coo|founder|co-founder|cofounder|owner|professor|manager|editor) (?:of|at) `,
    ),
    refuse: starts("(?:this|it|that)\\b"),
    key: "identity:occupation",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(
      `${IM}(?:currently )?(?:retired|unemployed|self-employed|between jobs|on parental leave|on maternity leave|a stay-at-home (?:dad|mom|mum|parent))\\b`,
    ),
    key: "identity:occupation",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts("i was born (?:and raised )?(?:in|on|at) "),
    refuse: starts("(?:the (?:wrong|darkness)|a barn)\\b"),
  },
  { category: "identity", confidence: SURE.plain, pattern: starts("i (?:was raised|grew up) (?:in|on|near|speaking|as) ") },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(
      `${IM}${NOW}from (?=(?-i:\\p{Lu})|the (?:netherlands|uk|us|usa|philippines|north|south|east|west|midwest|countryside)\\b|a (?:[\\p{L}-]+ ){0,2}(?:village|town|city|farm|island)\\b)`,
    ),
    key: "identity:origin",
    refuse: starts("(?:what|where|a different|another)\\b"),
  },
  {
    category: "identity",
    confidence: SURE.usual,
    pattern: starts("i come from (?=(?-i:\\p{Lu})|a (?:[\\p{L}-]+ ){0,2}(?:village|town|city|farm|island|family)\\b)"),
    refuse: starts("(?:what|where|it|that|this|there|here|work)\\b"),
    key: "identity:origin",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(`${IM}(?:half |a |an )?(?:${DEMONYM})(?=\\s*$|[,;]| (?:citizen|by birth|and|but|living|originally))`),
    key: "identity:nationality",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(`${IM}(?:turning |almost |nearly |only )?\\d{1,3}(?= years? old| ?yo\\b| ?y\\/o|\\s*$|,| now\\b)`),
    key: "identity:age",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(
      `i (?:also |can |fluently )?speak (?!to\\b|with\\b|for\\b|up\\b|of\\b|about\\b|as\\b|from\\b|in\\b|at\\b|out\\b|on\\b|too\\b|very\\b)`,
    ),
    refuse: starts("\\W*$|your?\\b|loud"),
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts(
      "(?:please |just |you can |everyone |friends |people |my friends ){0,2}calls? me (?!(?:back|later|when|at|a|an|on|if|the|old|crazy|out|up|in|by|names|this|that|tomorrow|maybe)\\b)(?=(?-i:\\p{Lu}))|i go by (?=(?-i:\\p{Lu}))|i'm called (?=(?-i:\\p{Lu}))",
    ),
    key: "identity:called",
  },
  {
    category: "identity",
    confidence: SURE.plain,
    pattern: starts("i use (?=(?:they/them|she/her|he/him|she/they|he/they)\\b)|my pronouns are "),
    key: "identity:pronouns",
  },
];
