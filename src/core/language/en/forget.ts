import type { ForgetWords } from "#core/language/forget-words";

const PLEASE = "(?:do|please|pls|plz|plsss?|kindly|just|also|now|maybe|perhaps|at once|completely|go ahead and|for me)";
const OFTEN = `(?:${PLEASE} ){0,4}`;
const YOU = "(?:you|u|ya)";
const DELETE = "(?:delete|erase|purge|expunge|unsave|unstore)";
const DELETING = "(?:deleting|erasing|purging|expunging)";
const DELETED = "(?:deleted|erased|purged)";
const FORGET = "(?:forget(?!-)(?: all)?(?: about)?|unlearn|un-?remember|un-?know)";
const KEEP =
  "(?:keep|remember|memori[sz]e|store|save|retain|record|log|note(?: down)?|write down|hold on to|hold onto|hang on to|hang onto|keep hold of)";
const KEEPING =
  "(?:keeping|remembering|memori[sz]ing|storing|saving|retaining|recording|logging|noting|knowing|holding on to|holding onto)";
const KEPT = "(?:kept|stored|saved|remembered|retained|recorded|noted|written down|on record|on file)";
const NOT = "(?:don't|do not|dont|never|didn't|did not|wouldn't|not|no longer)";
const HERE = "(?:in here|from here|in your|out of|off|from your|from the record|in the record)";
/** "Can you", "I want you to", "would you mind". */
const ASK = `(?:let's|lets|(?:can|could|shall) we) |(?:(?:can|could|(?:will|would)(?= (?:you|u|ya) (?:please|pls|plz|kindly|be|mind))) ${YOU} (?:um |uh )?){1,2}(?:please )?(?:make sure (?:to|you|that you) )?(?:be (?:so |very )?(?:kind|good|nice|sweet)(?: as| enough)? (?:as )?to )?|i(?:'d| would)? (?:want|like|need|love|prefer|ask|beg|appreciate it if) (?:for )?${YOU} (?:to |could |would )?|i (?:am|'m) asking ${YOU} to |${YOU} (?:should|must|need to|have to|can|may) |(?:it would|it'd|would it) be (?:\\p{L}{1,24} )?(?:if|for) ${YOU} (?:could |would |to )?|(?:make sure|be sure) (?:to|you|that you) |(?:is it|would it be) (?:ok|okay|possible) (?:for ${YOU} )?to |(?:please|kindly) see (?:to it )?that you `;
const IF_YOU = `(?:.{0,40} )?(?:i'd|id|i would|it'd|it would|would it) (?:be |feel |sleep )?(?:\\p{L}{1,24} ){0,3}if ${YOU} (?:just )?`;
const orders = (verb: string, gerund: string, past: string) => [
  `(?:${ASK})?${OFTEN}${verb}\\b(?<object>.*)`,
  `(?:would|do) ${YOU} mind ${OFTEN}${gerund}\\b(?<object>.*)`,
  `${IF_YOU}${past}\\b(?<object>.*)`,
];

export const ENGLISH_FORGET: ForgetWords = {
  lead: "ok|okay|oh|ah|um+|uh|hm+|hey|hi|hello|so|and|also|well|yes|yeah|yep|no|nope|nah|right|fine|lol|listen|look|sorry|thanks|thank you|then|now|actually|in fact|by the way|btw|one more thing|on second thoughts?|on reflection|wait|omg|oh god|god|quick|just|good morning|dear assistant|dear|mate|edgewise|again|please note",
  polite: "please|pls+|plz+|kindly|if you (?:would|don't mind|could)",
  forgets: orders(FORGET, "forgetting(?: about)?", "forgot(?: about)?").concat(
    `i(?:'d| would)? (?:want|need|like) (?<object>.{1,120}?) (?:to be )?forgotten\\b(?<more>.*)`,
    `(?:let's |lets |please |(?:can|could) (?:you|we) )?(?:pretend|act like|act as if|act as though) (?<object>(?:that )?i (?:never|didn't|hadn't|haven't) .*)`,
  ),
  stores: [
    `(?:${PLEASE} ){0,4}(?:don't|do not|dont|never)(?: ever| you ever| you)? ${KEEP}\\b(?! (?:adding|saying|telling|doing|going|asking|giving|using|making)\\b)(?<object>.*)`,
    `(?:(?:can|could|would|will) ${YOU} (?:um |uh )?){1,2}${OFTEN}not ${KEEP}\\b(?<object>.*)`,
    `${YOU} (?:shouldn't|should not|mustn't|must not|needn't|don't (?:need|have) to|dont (?:need|have) to|can't|cannot) ${OFTEN}${KEEP}\\b(?<object>.*)`,
    `i (?:don't|do not|dont|never) (?:want|like|need) ${YOU} (?:to )?(?:${KEEP}|${KEEPING})\\b(?<object>.*)`,
    `i(?:'m| am) (?:not|un) ?(?:comfortable|happy|ok|okay) with ${YOU} ${KEEPING}\\b(?<object>.*)`,
    `(?:i(?:'d| would)|id) (?:much )?(?:rather|prefer|like|love|appreciate)(?: it)?(?: if| that)? ${YOU} ${NOT} ${KEEP}\\b(?<object>.*)`,
    `i(?:'d| would) (?:like|prefer|want|rather) ${YOU} (?:to not|not to|not) ${KEEP}\\b(?<object>.*)`,
    `i (?:want|need) ${YOU} (?:to not|not to) ${KEEP}\\b(?<object>.*)`,
    `(?:can|could|would|will) ${YOU} ${OFTEN}stop ${KEEPING}\\b(?<object>.*)|stop ${KEEPING}\\b(?<more>.*)`,
    `i (?:don't|do not|dont|never) want (?<object>.{1,120}?) (?:to be )?(?:${KEPT}|${HERE})\\b(?<more>.*)`,
    `i(?:'d| would)? (?:rather|prefer) (?<object>.{1,120}?) (?:wasn't|weren't|isn't|not be|was not|were not|not) (?:${KEPT}|${HERE})\\b(?<more>.*)`,
    `(?<object>(?:the|my|our|that|this|what|any|anything) .{1,120}?) (?:should not|shouldn't|must not|mustn't|is not to|need not|needn't) be ${KEPT}\\b(?<more>.*)`,
    `(?:let's |lets |please |(?:can|could) (?:you|we) )?(?:keep|leave) (?<object>.{1,120}?) out of (?:your|ur|the) (?:memory|memories|notes|records?|files?|head)\\b(?<more>.*)`,
    `(?:please )?(?:make sure|see to it) (?:that )?(?<object>.{1,120}?) (?:isn't|is not|aren't|are not|doesn't get|won't be|never gets?) ${KEPT}\\b(?<more>.*)`,
    `(?:there's |there is )?no need (?:for ${YOU} )?to ${KEEP}\\b(?<object>.*)`,
    `(?:please )?no (?:record|records|note|notes|trace|mention)s? (?:of|about|on) (?<object>.*)`,
    `(?<object>(?:the|my|our|that|this|what) .{1,120}?) (?:is |are |was |stays? |has to be )?off the record\\b(?<more>.*)`,
    `off the record\\b(?<object>)`,
  ],
  deletes: [
    ...orders(DELETE, DELETING, DELETED),
    ...orders(
      "(?:wipe|scrub)(?= (?:my|our|any|all)\\b)",
      "(?:wiping|scrubbing)(?= (?:my|our|any|all)\\b)",
      "(?:wiped|scrubbed)(?= (?:my|our)\\b)",
    ),
    `i(?:'d| would)? (?:want|need|like) (?<object>.{1,120}?) (?:gone |erased |wiped |removed |deleted |taken )?(?:out of|off|from) (?:your (?:memory|memories|notes|records?|head|mind|files?)|(?:the|this) record|here|storage)\\b(?<more>.*)`,
  ],
  drops: [
    `i(?:'d| would)? (?:want|need|like) (?<object>.{1,120}?) (?:to be )?(?:gone$|deleted|erased|removed|wiped|purged|scrubbed)\\b(?<more>.*)`,
    `(?:can|could) (?<object>(?:what|everything|anything|all|the|my) .{1,120}?) be (?:deleted|erased|removed|wiped)\\b(?<more>.*)`,
    `(?<object>(?:the|my|our|that|this|what|everything) .{1,120}?) (?:should|must|needs? to|has to|have to|can|ought to) be (?:forgotten|deleted|erased|removed|wiped)\\b(?! (?:before|by|within|from)\\b)(?<more>.*)`,
    ...orders(
      "(?:remove|wipe|scrub|clear(?: out)?|get rid of|drop|scrap|scratch|strike|bin|lose|dump|ditch|chuck(?: out| away)?|take (?:out|off|back|away)|take|throw (?:out|away)|throw|cross out|cut(?: out)?|rub out)",
      "(?:removing|wiping|scrubbing|clearing(?: out)?|getting rid of|dropping|scrapping|striking|binning|taking (?:out|off|back)|taking|throwing (?:out|away)|cutting(?: out)?)",
      "(?:removed|wiped|scrubbed|cleared(?: out)?|got rid of|dropped|scrapped|binned|took out|threw (?:out|away)|cut(?: out)?)",
    ),
  ],
  said: "\\b(?:i|we|i've|ive|i'd) (?:just |never |didn't |hadn't |have |had |already |ever |only |earlier |once |once |also ){0,4}(?:said|told|mentioned|shared|wrote|typed|gave|sent|confessed|confided|disclosed|revealed|explained|talked|put|let slip|tell|say|paste|pasted|brought up|bring up|left|entered|posted|told)\\b|\\b(?:from|in|into|up|out of|off) (?:here|there|storage)\\b|\\bwhat (?:was|you were|you've been) (?:said|told)\\b|\\byou (?:still |already |now ){0,4}(?:know|have|hold|stored|saved|remember|remembered|learned|learnt|keep|kept|noted|recorded|wrote down)\\b|\\b(?:from|in|off|out of|on) (?:your|ur|the) (?:memory|memories|records?|notes|mind|head|brain|history|storage|database|system|profile of me|files?)\\b|\\bour (?:conversation|chat|talk)s? (?:about|on|regarding)\\b|\\b(?:memory|memories|records?|traces?|mentions?|knowledge) (?:of|about)\\b",
  regrets:
    "\\b(?:i (?:really )?(?:shouldn't|should not|shouldnt|should never|wish i (?:hadn't|had not|never)|regret|didn't mean to|never meant to|should) ?(?:have|take|took)? ?(?:brought up|bring up|said|told|typed|put|posted|pasted|shared|mentioned|left|written|wrote|given|back)?|(?:it was|it's|that was|was|not|how) (?:very |so |really |a bit )?(?:foolish|stupid|silly|dumb|smart|wise|clever|careless|safe|a mistake|good idea)(?: of me)?(?: to)?(?: type| put| leave| leaving| post| paste| share| write| mention| tell)?|never mind about|(?:was|were|is|are)(?: not|n't| never) (?:meant )?for (?:you|here)|(?:is|are)(?: not|n't) safe here|(?:i'm |i am |im )?not (?:comfortable|happy|ok|okay) with|(?:doesn't|does not|don't) belong (?:in )?here|i take back|to (?:myself|ourselves)|between us|i (?:don't|dont|do not) want)\\b",
  thing:
    "\\b(?:the|that|this|whole) (?:\\S{1,30} ){1,5}(?:thing|part|bit|business|stuff|story|affair|comment|remark|matter)s?\\b|\\b(?:thing|part|bit|business|stuff|story|comment|remark|mention|that)s? (?:about|on|with|regarding|where|that|of)\\b|\\b(?:my|the) (?:comment|remark)s?\\b",
  not: "\\b(?:again|once more|one more time|not|never)\\b",
  worldly:
    "\\b(?:secret|waiting|wrong|wrongly|outside|inside|awake|alive|warm|cold|clean|dry|busy|company|hidden|away|(?:in|at|on|under|near|by|next to|behind) (?:the|a|an|my|our|his|her|their) (?!record|file|memory|chat|notes)\\p{L}{2,24})\\b",
  data: "\\b(?:numbers?|codes?|pin|password|passcode|address|name|e-?mail|phone|postcode|zip|birthday|birth|details|passport|id|iban|salary|username)\\b",
  instead: "\\b(?:instead|rather than|make it|make that|replace|swap|change (?:it|that) to)\\b",
  definite: "(?:the|that|those|these|this|who|where|when|what|how)\\b",
  about:
    "\\b(?:everything|anything|all|whatever)(?: \\p{L}{1,24})? (?:about|on|regarding|concerning|to do with|related to|that has to do with)\\b",
  last: "(?:my|that|the) (?:very )?(?:last|previous|preceding|latest) (?:message|msg|sentence|statement|remark|comment|text)\\b|(?:the )?(?:last|previous) (?:thing|message|msg) (?:that )?i (?:just )?(?:said|wrote|sent|told|typed|shared)\\b|(?:everything |all |what(?:ever)? |the thing )(?:that )?i(?:'ve| have)? (?:only )?just (?:said|wrote|sent|told|typed|shared|mentioned)\\b",
  own: "(?:who|where|when|which|what|how) (?!to\\b)\\p{L}{1,24} \\p{L}|(?:(?:the|that) \\p{L}{1,24} (?:\\p{L}{1,24} )?(?:i|we|\\p{L}{1,24} owes? me)\\b)|(?:all )?(?:the |that |any )?(?:bits?|parts?|info|information|details?|stuff|things?|facts?|news) (?:about|that|of|on|regarding|concerning|where) (?:all )?(?:my|our|me|i|i'm|im|i've|ive|we|\\p{L}{1,24}'s)\\b|(?:all )?(?:of )?(?:my|our)\\b|(?!(?:what|that|it|let|who|where|how|there|here|today)'s)\\p{L}{1,24}'s\\b|(?:that|where|how|who|when|which|what) (?:i|we|i'm|im|i've|ive|my|our)\\b",
  bare: "(?:i|im|i'm|we) \\p{L}|that \\p{L}{1,24} \\p{L}",
  pieces:
    "\\bones?$|\\b(?:notes?|paragraphs?|sentences?|lines?|words?|bullets?|points?|headings?|titles?|intro|introduction|conclusion|footers?|headers?|rows?|columns?|cells?|tables?|sections?|chapters?|slides?|pages?|verses?|stanzas?|chorus|emojis?|commas?|marks?|hashtags?|spaces|quotes?|paraphrase|footnotes?|steps?|questions? \\d+|items?|entr(?:y|ies)|ingredients?|recipes?|lists?|files?|folders?|branch(?:es)?|commits?|functions?|variables?|class(?:es)?|imports?|tests?|lint|packages?|dependenc(?:y|ies)|containers?|images?|photos?|pictures?|pics|videos?|screenshots?|backgrounds?|logo|app|apps|accounts?(?! (?:numbers?|no|details?|codes?))|cookies|cache|browser|drafts?|versions?|essays?|letters?|poems?|stor(?:y|ies)|scenes?|e-?mails?(?! address)|posts?|tweets?|captions?|cv|resume|cover letter|invoice|agenda|minutes|menu|playlist|basket|cart|calendar|itinerary|reminders?|alarms?(?! code)|events?|appointments?|bookings?|reservations?|subscriptions?|orders?|todos?|to-dos?|tasks?|stains?|duplicates|contacts?|numbers? \\d{1,2}\\b|options?|filters?|database|schema|index|keyframes|layers?|tags?|labels?|comments?|notes app|downloads?|tabs?|virus|wallpaper|chats? history with)\\b",
  places: "from|off|out of|in|on|of",
  goesOn:
    "(?:what(?:ever)?|that|everything|anything|all|where|who|how|when|which|whose|why|my|the thing|the (?:bit|part|stuff)|including|especially|about|and (?:my|the|what|that|his|her|everything|anything|who|where|how))\\b",
  reasons:
    "(?:because|cause|cos|coz|cuz|bc|since|so that|so (?:i|he|she|they|nobody|no one|that|my) (?:can|could|won't|don't|doesn't|never)|in case|i (?:don't|dont|do not|didn't|shouldn't|should not|shouldnt|regret|wouldn't)|i'd (?:rather|prefer|feel|hate)|(?:he|she|they) (?:asked|does not|doesn't|do not|don't|didn't|would|wouldn't|wants? (?:it|that|me|this|to)|(?:also )?(?:uses?|reads?|borrows?|checks?|shares?|can see|might see|could see))|(?:he|she|they)'d|you (?:don't|dont|do not|shouldn't|should not|needn't)|no need|for (?:good|ever|privacy|my|his|her|their)|if (?:you|possible|that)|(?:will|would|could|can) (?:you|u)|my (?:\\p{L}{1,24} ){1,3}(?:uses?|reads?|sees?|is using|are using|is going to|borrows?|can see|checks?|logs|shares?|might|could|wouldn't|would|also))\\b",
  keeps: [
    "(?:but |and |just |only |though |please |(?:you|u) (?:can|may) (?:still )?(?:of course )?){0,4}(?:keep|leave|retain|remember|know|have|hold on to|hang on to)\\b(?<kept>.*)",
    "(?:but |and |though ){0,4}(?<kept>(?:the|my|his|her|our|everything|all|that|what) .{0,80}?) (?:(?:can|may|should) stay|(?:is|are|can be|may be) (?:fine|ok|okay|good|alright|no secret|no problem|kept|remembered)|(?:you|u) (?:can|may) (?:keep|have|know|retain))\\b",
    "(?:but |just |only ){0,4}(?:not|except|apart from|other than|besides|all but)\\b(?<kept>.*)",
  ],
  joins: "and|or|nor|plus|as well as",
  runsOn:
    "(?<!(?:that|what|where|how|who|when|which|whether|if|because|about|said|told|think|thought) )(?:it|its|it's|im|i'm|he's|hes|she's|shes|they're|(?:he|she|they) (?:would|wouldn't|does|doesn't|didn't|don't|is|isn't|will|won't|can|can't|could|might))",
  breaks:
    "because|before (?=he |she |they |my |any|some)|cause|cos|coz|cuz|bc|since|but|though|so that|so (?=i |he |she |they |nobody |no one |my )",
  points: "the (?:new|right|correct|real|actual)|it's|its|it is|it'll|that's|thats|that is|this is|these are|those are",
  medicine: "medicine medicines medication medications meds pill pills tablet tablets drug drugs",
  health:
    "health medical diagnosis illness illnesses disease condition treatment therapy surgery operation test tests results lab allergy allergies intolerance symptom symptoms",
  money:
    "money financial finances finance debt debts salary wage pay paid price cost costs income savings inherit inheritance mortgage rent earn",
  belief:
    "religion religious faith church belief beliefs politics political vote voted party orientation sexuality gay sexual gender identity",
  alike: [
    "salary wage wages income earnings earn earns earned",
    "wedding marry married marriage wed engaged",
    "birth born birthday",
    "debt debts owe owes owed loan",
    "divorce divorced separated split",
    "pregnancy pregnant expecting",
    "drinking drink drinks drinker alcoholic",
    "name named called",
    "death died dead",
    "job work works working employed",
    "sacked fired dismissed redundant",
    "jail prison inside arrested",
    "kids children sons daughters",
    "vote voted voting votes",
  ],
  vague:
    "soon early promised promise learned found comment comments remark remarks um uh er hm u ur me surprise supposed coming up lol haha yeah yep well so mate about regarding concerning related thing things stuff matter business bit bits part parts piece one ones info information detail details note notes record records memory memories mind head brain system history storage database message messages chat chats conversation conversations talk talks subject topic last previous earlier before just again anymore anywhere more longer point ever date dates now completely entirely forever permanently whole entire lot everything anything whatever something said told tell mention mentioned gave give share shared typed wrote write explain explained confessed asked say saying mine yours sorry wrong mistake private personal confidence confidential secret sensitive keep kept hold store stored save saved remember remembered record recorded forget forgot forgotten wipe delete deleted erase remove removed clear get rid gone want wanted would rather like need can could know known never always yes no not actually either way away back off out take took please thanks thank comfortable uncomfortable regret embarrass embarrassing mortified mortifying begging beg aint embarrassed ashamed awkward upset upsetting use using see sees read reads situation status state problem problems issue issues news today yesterday morning last time first ago thought sort kind story fact facts really very right weird silly sore awkward long ago past sad subject lying foolish smart stupid record storage hereby belong ok okay feel feels better safer nobody anyone anybody someone else people assistant ai you joke joking lie lied true false good all any some and also too other stay rest possible appreciate much sure purpose longer relevant correct accurate needed necessary matter matters completely trace mention reference data never mean meant let slip ought should shall might must everywhere permanently immediately soon",
};
