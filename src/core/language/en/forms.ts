import type { Forms } from "#core/language/statement-forms";

const IM = "(?:i'm|im|i am) ";
const NOW = "(?:also |still |currently |now |just |actually |originally |only |both |strictly |mostly )*";
const PLACE_WORD =
  "(?:city|cities|village|town|countryside|country|coast|flat|house|apartment|place|north|south|east|west|farm|island|centre|center|mountains|district|state|studio|dorm)";
const DEMONYM =
  "american|australian|austrian|belgian|brazilian|british|canadian|chinese|danish|dutch|english|finnish|french|german|greek|indian|irish|italian|japanese|korean|mexican|norwegian|polish|portuguese|romanian|russian|scottish|spanish|swedish|swiss|turkish|ukrainian|vietnamese|welsh";
const NOT_A_VALUE =
  "\\W*$|not\\b|mud\\b|out there|all over|misspelled|wrong|missing|broken|what\\b|too\\b|hard\\b|on\\b(?! (?:the )?(?:\\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))|in the form|spelled|coming up|a (?:nightmare|joke|mess|pain)|boring|stressful|killing|terrible|great|\\.\\.|___?";
const NO_HOME =
  "hope|fear|peace|constant|denial|the (?:moment|past|future|now|story|game|house|room|clouds?)\\b|my (?:head|own world|dreams)|a (?:dream|world)|this\\b|that\\b|it\\b|%|_|your?\\b|\\W*$|harmony|sin\\b|times";
/** Tools that people "move to" without leaving their home. */
const TOOL =
  "(?:typescript|javascript|python|rust|go|java|kotlin|postgres\\w*|mysql|redis|aws|linux|ubuntu|debian|arch|fedora|windows|mac|ios|vim|neovim|emacs|react|vue|svelte|github|gitlab|jira|notion|obsidian|slack|teams|discord|kubernetes|docker|archive|plan b|done)\\b(?! (?:city|state|county))";
const WHEN =
  "(?:(?:last|this) \\p{L}+,? |yesterday,? |recently,? |in (?:\\d{4}|\\p{L}+),? |(?:a|two|three|\\d+) \\p{L}+ ago,? )?";
const FAVORITE = "(?:all[- ]time |absolute |personal |current |own )*favou?rite";

/** One to three capitalised words, with a title before them. */
const NAME =
  "(?-i:(?:(?:Dr|Mr|Mrs|Ms|Prof)\\.? )?(?!(?:I|I'm|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|June|July|August|September|October|November|December|The|And|But)\\b)\\p{Lu}[\\p{L}'-]*(?: (?!(?:I|I'm)\\b)\\p{Lu}[\\p{L}'-]+){0,2})";
const NAMES = `(?<names>${NAME}(?:(?:, | and | & )${NAME}){0,5})`;
const SMALL_NAMES = "(?<names>[\\p{L}'-]+(?:(?:, | and | & )(?:[\\p{L}'-]+)){0,5})(?=\\s*$|[,;:)]| (?:and|but)\\b)";
const ROLE = "(?<role>[\\p{L}-]+(?: [\\p{L}-]+){0,3}?)";
const MY = "(?:my|our)";

export const ENGLISH_FORMS: Forms = {
  statements: [
    { key: "name", pattern: "my (?:full |first |real |given )?name(?: is|'s) ", refuse: NOT_A_VALUE },
    {
      key: "name",
      pattern: "(?:the )?name(?: is|'s) (?=(?-i:\\p{Lu}\\p{Ll}+(?: \\p{Lu}\\p{Ll}+)?(?:\\W*$|,)))",
      isUsual: true,
    },
    {
      key: "name",
      pattern: `(?:${IM}|this is |it's )(?=(?-i:\\p{Lu}\\p{Ll}))(?!(?:${DEMONYM}|sorry|done|ok|okay|fine|back|new|not|just|so|a|the|in|on|at|good|ready|here|trying|looking|stuck|having|working|using)\\b)[\\p{L}'’-]+(?: (?-i:\\p{Lu})[\\p{L}'’-]+){0,2}(?=\\s*$|[,;(]| (?:and|from|here)\\b)`,
      isUsual: true,
      only: "greeted",
    },
    { key: "birthday", pattern: "my (?:birthday|date of birth|birth date)(?: is|'s) ", refuse: NOT_A_VALUE },
    { key: "age", pattern: "my age is ", refuse: NOT_A_VALUE },
    {
      key: "age",
      pattern: `${IM}(?:turning |almost |nearly |only )?\\d{1,3}(?= years? old| ?yo\\b| ?y\\/o|\\s*$|,| now\\b)`,
    },
    {
      key: "occupation",
      pattern: "my (?:current )?(?:job|occupation|profession|job title)(?: is|'s) ",
      refuse: NOT_A_VALUE,
    },
    {
      key: "occupation",
      pattern: `i ${NOW}(?:work|am working) (?:full[- ]time |part[- ]time |remotely )?as (?:an? |the )?|i'm working as (?:an? )?`,
      refuse: "expected|intended|well|much|hard|long|little|before|usual|i\\b|it\\b|if\\b|\\W*$",
    },
    {
      key: "occupation",
      pattern: `${IM}${NOW}an? (?!not\\b|fan of)(?=(?<calling>[\\p{L}'-]+(?: [\\p{L}'-]+){0,4}))`,
      refuse: "\\W*(?:wannabe|'s)\\b",
    },
    {
      key: "occupation",
      pattern: `${IM}(?:the |an? )?(?:former |retired )?(?:head|director|vp|vice president|cto|ceo|cfo|coo|founder|co-founder|cofounder|owner|professor|manager|editor) (?:of|at) `,
      refuse: "(?:this|it|that)\\b",
    },
    {
      key: "occupation",
      pattern: `${IM}(?:currently )?(?:retired|unemployed|self-employed|between jobs|on parental leave|on maternity leave|a stay-at-home (?:dad|mom|mum|parent))\\b`,
    },
    {
      key: "work",
      pattern: `i ${NOW}work (?:full[- ]time |part[- ]time |remotely )?(?:at|for) |i'm (?:currently )?working (?:at|for) `,
      refuse:
        "night|home|the moment|weekends?|free|fun|hours|days|least|a living|myself|a while|now|it\\b|that\\b|this\\b|___?|\\d|all\\b|my best|peanuts",
    },
    {
      key: "home",
      pattern: `(?:i|we) ${NOW}live (?:right |just |close |down |up |over |out )?(?:in|near|outside|on the|by the|at) `,
      refuse: NO_HOME,
    },
    {
      key: "home",
      pattern: `(?:i've been living|i'm living|im living|i am living) (?:in|near|outside) |${IM}${NOW}based in `,
      refuse: NO_HOME,
    },
    {
      key: "home",
      pattern: `${WHEN}(?:i|i've|ive|i have|we|we've|we have) (?:just |recently |finally |actually |now )?(?:moved|relocated) (?:back |over |out |down |up |here )?(?:to|from [\\p{L} ]{2,30} to|into) `,
      refuse: `(?:the|a|an|another|our|my) (?!(?:[\\p{L}-]+ ){0,2}${PLACE_WORD}\\b|(?-i:[\\p{Lu}]))|it\\b|this\\b|that\\b|\\d|next\\b|(?:step|chapter|line|page|section|slide|level|row|version|branch|main|master|production|staging)\\b|${TOOL}|\\W*$`,
    },
    {
      key: "home",
      pattern:
        "(?:just |recently |finally )?moved (?:back |over |out |down |up )?to (?=(?-i:\\p{Lu}))(?=.*\\b(?:last|this|in|two|three|four|a few|some|\\d+) (?:[\\p{L}\\d]+)|.*\\b(?:today|yesterday|recently|ago)\\b|[\\p{L}'-]+(?: (?-i:\\p{Lu})[\\p{L}'-]+)*\\W*$)",
      refuse: `${TOOL}|\\W*$`,
      implied: "I ",
      isUsual: true,
    },
    {
      key: "home",
      pattern:
        "(?:currently |still )?(?:living|based) in (?=(?-i:\\p{Lu})[\\p{L}' -]{1,40}?(?:\\W*$| (?:now|these days|since|atm|at the moment|for)\\b))",
      refuse: NO_HOME,
      implied: "I'm ",
      isUsual: true,
    },
    {
      key: "origin",
      pattern: `${IM}${NOW}from (?=(?-i:\\p{Lu})|the (?:netherlands|uk|us|usa|philippines|north|south|east|west|midwest|countryside)\\b|a (?:[\\p{L}-]+ ){0,2}(?:village|town|city|farm|island)\\b)`,
      refuse: "(?:what|where|a different|another)\\b",
    },
    {
      key: "origin",
      pattern: "i come from (?=(?-i:\\p{Lu})|a (?:[\\p{L}-]+ ){0,2}(?:village|town|city|farm|island|family)\\b)",
      refuse: "(?:what|where|it|that|this|there|here|work)\\b",
      isUsual: true,
    },
    {
      key: "diet",
      pattern: `${IM}${NOW}(?:a |an |lifelong |strict )*(?:vegetarian|vegan|pescatarian|pescetarian|flexitarian|kosher|halal|carnivore|omnivore)(?=\\s*$|[,;:)]| (?:and|but|since|for|because|so|now|these))`,
    },
    {
      key: "favorite",
      pattern: `(?:my|our) ${FAVORITE} (?<noun>(?:[\\p{L}'-]+ ){1,3}?)(?:is|are|will always be|has always been|remains) (?!not\\b|\\.\\.|…)`,
      refuse: "\\W*$|what|\\.\\.|(?:breaking|coming|getting|being|going|missing|broken|closed|gone)\\b",
    },
    {
      key: "favorite",
      pattern: `(?!(?:it|this|that|these|those|he|she|they|what|which|who|the (?:first|second|third|last|latter|former)|option|your?)\\b)[\\p{L}\\uFFFC][^,;:]{0,60}? (?:is|are) (?:definitely |by far |probably |still )?(?:my|our) ${FAVORITE} (?<noun>[\\p{L}'-]+(?: [\\p{L}'-]+){0,2}?)(?=(?: now| these days| again| anymore| any more)?\\W*$)`,
    },
  ],
  remember:
    "(?:always |also |just )?(?:(?:please )?(?:remember|don't forget|dont forget|do not forget|never forget|keep in mind|bear in mind|note|take note|make a note|for future reference|for your information|note to self)(?: please| also)?(?:(?: this| the following)?(?:: ?|, (?=.*\\b(?:i|i'm|i've|my|we|we're|our)\\b))|,? that )|remember (?=(?:my|our|i|i'm|we|we're) .*\\b(?:is|are|am|i'm|have|has|live|work|prefer|like|love|hate)\\b))",
  notRemembered:
    "(?:this|that|these|those|it|it's|you|you're|your|.*\\b(?:you|your|yourself|yours)|the (?:above|following|previous|input|output|function|list|code|answer)|he said|she said|what|when|how|why|to\\b|if|[^\\p{L}\\p{N}]*$)(?=$|[^\\p{L}'])",
  lightly: {
    asked: "(?:also |just |always )?(?:note|keep in mind|bear in mind|take note|for future reference|for your information)\\b",
    unless: "(?:please|pls|plz)\\b",
    own: "\\b(?:i|i'm|i've|i'll|im|my|me|mine|we|we're|our|us)\\b",
  },
  reminders: [
    {
      pattern: "remind (?:me|us) (?:again |later |tomorrow |tonight |please ){0,2}(?:to|about|that|in|at|on|when) ",
      refuse:
        "(?:what|how|why|who|where)\\b|(?:you|this|that)\\b|\\W*$|(?:never|not to)\\b.*\\byou\\b|.*\\b(?:ask|trust|use|talk to|listen to) you\\b",
    },
    { pattern: "(?:don't|dont|do not) let (?:me|us) forget (?:to|about|that) " },
    {
      pattern: "(?:don't|dont|do not) forget to |remember to ",
      refuse:
        ".*\\b(?:your|yours|yourself|you)\\b|(?:stay|take care|believe|celebrate|enjoy|focus|relax|breathe|smile|be)\\b|(?:answer|reply|respond|use|write|cite|keep|be|include|check|add|format|explain|make|always|never|not|follow|return)\\b",
    },
  ],
  relationships: {
    forms: [
      {
        pattern: `(?!(?:it|this|that|he|she|here|there|who|what|which|today|coffee|tea|google|chatgpt|alexa)\\b)${NAMES} (?:is|are|was) (?:now )?${MY} ${ROLE}(?=\\s*$|[,;:.!)]| (?:and|but|from|at|who|of|since|in|now)\\b)`,
        isHolder: true,
      },
      {
        pattern: `${MY} ${ROLE}(?:'s| s)? (?:(?:first )?name is|(?:is|are) (?:called|named)|(?:names|name's) (?:are|is)) (?:${NAMES}|${SMALL_NAMES.replace("names", "small")})`,
      },
      {
        pattern: `${MY} ${ROLE} is (?:now )?(?!(?-i:American|British|Canadian|Chinese|Dutch|English|French|German|Greek|Indian|Irish|Italian|Japanese|Korean|Mexican|Polish|Russian|Spanish|Swedish|Swiss|Turkish|Catholic|Muslim|Jewish|Christian)\\b)${NAMES}(?=\\s*$|[,;:.!)]| and (?:i|we|he|she)\\b| now\\b)`,
        isHolder: true,
      },
      {
        pattern: `(?:(?:i've|i have|i|we) (?:got |have )?(?:a )?)?new ${ROLE}(?: again| now)?(?::|,| is|,? called) ${NAMES}(?=\\s*$|[,;:.!)])`,
        isHolder: true,
      },
      {
        pattern: `(?:i|we)(?:'ve| have)? (?:switched|changed) (?:my |our )?${ROLE},? (?:and |so )?(?:i |we )?(?:now )?(?:go|going|am|are)(?: now)? (?:to|with) ${NAMES}`,
        isHolder: true,
      },
      {
        pattern: `${MY} ${ROLE} ${NAMES} (?:lives|works|is|has|loves|likes|hates|prefers|studies|speaks|plays|teaches|owns|can't|doesn't|was born|comes|runs)\\b`,
      },
      {
        pattern: `(?:i|we)(?: have|'ve)? (?:also |still )?(?:have|got) (?:an?|one|two|three|four|five|six|\\d|twin) ${ROLE} (?:named|called) ${NAMES}`,
      },
      { pattern: `(?:${IM}|i've been )(?:happily )?married to ${NAMES}`, relationship: "spouse" },
      { pattern: `(?:${IM}|i've been )(?:happily )?engaged to ${NAMES}`, relationship: "fiancé" },
      { pattern: `(?:${IM}|i've been )dating ${NAMES}`, relationship: "partner" },
    ],
    inPassing: `my ${ROLE}(?: ${NAMES}|, (?<beside>${NAME})(?=,))(?!['\\u2019]s\\b)`,
    ofOne: "boss manager supervisor landlord/landlady dentist gp doctor therapist hairdresser",
    own: "my ",
    people:
      "(?:(?:older|elder|younger|little|big|baby|best|oldest|eldest|youngest|twin|ex|late|new|old|good|close|dear|lovely|beautiful|dearest|only|first|second|middle|future|current|direct|former|adopted|step|line|great)[ -])*(?:wife|husband|spouse|partner|fianc[ée]e?|girlfriend|boyfriend|gf|bf|mother|mom|mum|mama|father|dad|papa|sister|brother|sibling|son|daughter|child|kid|baby|toddler|twin|cousin|uncle|aunt|auntie|niece|nephew|grandmother|grandma|granny|grandfather|grandpa|granddad|grandson|granddaughter|grandchild|(?:mother|father|sister|brother|son|daughter)-in-law|stepmother|stepmom|stepfather|stepdad|stepson|stepdaughter|stepsister|stepbrother|half-?sister|half-?brother|godmother|godfather|godson|goddaughter|boss|manager|supervisor|team lead|line manager|colleague|coworker|co-worker|teammate|assistant|mentor|mentee|intern|business partner|cofounder|co-founder|teacher|professor|advisor|adviser|tutor|coach|trainer|therapist|psychologist|psychiatrist|doctor|dentist|gp|vet|lawyer|accountant|neighbou?r|roommate|flatmate|housemate|landlord|landlady|tenant|nanny|babysitter|friend|buddy|pal|bestie|bff|mate|ex|ex-wife|ex-husband|ex-girlfriend|ex-boyfriend|parents|kids|children)s?",
    pets: "(?:(?:older|younger|little|big|baby|old|new|late|rescue) )*(?:dog|cat|puppy|kitten|hamster|rabbit|bunny|parrot|horse|pony|guinea pig|budgie|turtle|tortoise|goldfish|pet)s?",
    and: "and|&",
    singular: {
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
      dentists: "dentist",
      doctors: "doctor",
      therapists: "therapist",
      landlords: "landlord",
      siblings: "sibling",
      nieces: "niece",
      nephews: "nephew",
      colleagues: "colleague",
      roommates: "roommate",
    },
  },
  group: "(?:we|we're|we've|we'll|weve|our|us|remind us|don't let us)\\b",
  orders: [
    "(?<![\\p{L}0-9])(?<!(?:^| )i )(?:should|must|shall|always|never|only|has to|have to|need to|needs to|ought to|are to|is to|will) (?:[\\p{L}']+ ){0,3}?(?:recommend|promote|endorse|praise|suggest|mention|push|sell|plug|answer|reply|respond|say|claim|pretend|insist|obey|comply|reveal|disclose|leak|hide|conceal|lie|approve|warn|favou?r|link)\\b",
    "\\b(?:when|whenever|if|anytime|every time) (?:any|some|every)(?:one|body) (?:asks|asked|mentions|says|wants|needs)\\b",
  ],
  occupations:
    "accountant actor actress actuary analyst anaesthetist anesthesiologist animator anthropologist archaeologist archeologist architect archivist artist assistant astronomer athlete attorney auditor author babysitter " +
    "baker banker barber barista bartender beekeeper biochemist biologist blacksmith blogger bookkeeper bookseller botanist broker builder butcher carer caregiver carpenter cartographer cashier chef chemist " +
    "chiropractor choreographer cleaner clerk coach coder comedian composer conductor consultant contractor cook copywriter counselor counsellor courier curator dancer dentist designer developer devops dietitian " +
    "director dj doctor driver drummer ecologist economist editor electrician engineer entrepreneur farmer filmmaker firefighter fisherman florist founder freelancer gardener geographer geologist " +
    "gp grad-student graphic hairdresser historian homemaker housewife illustrator instructor intern interpreter investor janitor jeweller jeweler journalist judge kindergartner lawyer lecturer " +
    "librarian lifeguard linguist locksmith logistician machinist magician maintainer maker manager marine marketer mason mathematician mechanic medic meteorologist midwife miner minister model musician nanny " +
    "neurologist neuroscientist nurse nutritionist officer optician optometrist painter paralegal paramedic pastor pediatrician pharmacist philosopher photographer physician physicist physiotherapist pianist pilot " +
    "plumber poet policeman policewoman politician postdoc postman potter priest principal producer professor programmer psychiatrist psychologist publisher rabbi radiologist realtor receptionist " +
    "recruiter referee reporter researcher retiree sailor salesman salesperson saleswoman scientist sculptor secretary servant singer soldier sommelier statistician stockbroker student " +
    "sculptor supervisor surgeon surveyor sysadmin tailor teacher technician therapist trainee trainer translator trucker tutor undergraduate undertaker upholsterer veterinarian vet vicar videographer violinist " +
    "waiter waitress watchmaker weaver welder writer youtuber zookeeper zoologist administrator carpenter apprentice dad mom mum paediatrician",
  notBeforeOccupation: "of for with in from to and or the a an who that like not fan at on by",
  singular: (noun) =>
    /(?:ss|us|is|ies|ches|shes)$/u.test(noun)
      ? noun.replace(/ies$/u, noun.length > 6 ? "y" : "ies").replace(/(ch|sh)es$/u, "$1")
      : noun.replace(/s$/u, ""),
  greeting: "(?:hi|hey|hello|hiya|good (?:morning|afternoon|evening)|nice to meet|greetings)\\b",
  pronoun: "(?:i|we)(?=[' ])",
};
