import type { ForgetWords } from "#core/language/forget-words";

/** Where a word begins; `\\b` means that only at the beginning of an alternative. */
const B = "(?<!\\p{L})";
const B_END = "(?!\\p{L})";
const YOU = "(?:you|u|ya|yous)";
const POLITE = "(?:please|pls|plz|kindly|just|maybe|perhaps|possibly|also|like|simply|at least|quickly|abeg|na)";
const KEEPING =
  "(?:keep|kept|keeping|store|stored|storing|save|saved|saving|hold|held|holding|hang on to|hanging on to|hold on to|holding on to|retain|retained|remember|remembered|remembering|record|recorded|recording|note|noted|log|logged|memori[sz]e|write down|written down|wrote down|put down|noting)";
const MEMORY =
  "(?:memory|memories|memory bank|brain|head|mind|records?|notes?|system|files?|log|logs|history|database|storage|books?|account|profile|data)";
const HERE = `(?:(?:in|on|from|off|out of|into|inside) (?:here|there|this (?:thing|tool|app|chat|account)|(?:your|ur|ya|the|whatever|any) (?:\\p{L}+ )?${MEMORY}|(?:record|file)\\b))`;
const SAYING =
  "(?:said|says|told|tell|telling|mentioned|gave|given|shared|typed|wrote|written|confessed|explained|put|sent|let slip|blurted|overshared|confided|admitted|spilled|spilt|dumped|revealed|went on about|ranted|banged on)";

export const ENGLISH_FORGET: ForgetWords = {
  lead: [
    {
      often: `(?:o{1,12}h{1,12}|a{1,12}h{1,12}|god|gosh|no+|nah|ok|okay|k|hey|hi|hello|so|well|actuall?y|sorry|now|mate|bruv|bro|lol|hm+|um+|uh+|er+m?|and|but|then|or|yeah|yes|ugh|wait|right|thanks|anyway|honestly|either way|for god'?s sake|${POLITE})[\\s,.!…]+`,
    },
    {
      once: `(?:(?:can|could|would|will|wud|cud|cn|may) ${YOU} (?:mind )?|(?:i(?:'d| would|'ll| will)?|we(?:'d| would)?|id) (?:really |just )?(?:want|need|like|love|prefer|appreciate|ask|beg|beg of)(?: it if)? ${YOU} (?:to |could |would )?|${YOU} (?:can|should|could|need to|must|have to|better|might want to|had better|ought to) |(?:you'?d|ud) better |go (?:and |ahead and )?|let'?s (?=(?:forget|pretend|erase|delete)\\b)|feel free to |time to |best (?:to )?|to |do )`,
    },
    { often: `${POLITE},? ` },
  ],
  surely: `(?:wipe|delete|del|erase|purge|scrub)\\b(?<object>(?: (?:it|that|this|them|those|these|all|all of|the lot|out|off|away|please|pls|now|completely|entirely|forever|from|here))*) ?$|(?:forget|un-?(?:remember|know|learn|say|see|save|hear|stick|store|tell|note|record|mention|write|send|share|type|read|keep|log)|disremember|expunge|redact)(?:ing)?\\b(?: (?:about|out|off|away|from))?(?<object>.*)`,
  plainly: `(?:delete|erase|forget)(?: about)? (?<object>(?:my|our)\\b.+)|forget (?:about (?<object>.+)|(?<object>(?:that|how|where|what|when|who|whose|which|everything|anything)\\b.+))`,
  perhaps: `(?:wipe|delete|del|erase|purge|scrub|obliterate|(?:disregard|ignore)(?= (?:what|everything|anything|all|the (?:thing|bit|part|stuff)|my (?:last|earlier|previous)))|remove|rm|bin|bun|dump|drop|lose|chuck|ditch|trash|scratch|strike|clear|scrap|discard|destroy|shred|nuke|axe|zap|omit|undo|retract|toss|kill|cut|burn|bury|comot|lob|blank|hide|get (?:rid|shot|shut)|be rid|do away|let go|throw|take|rub|cross|pull|get|edit|black(?= (?:(?:it|that|this) )?out\\b))(?:ing)?\\b(?: (?:about|out|off|away|of|with|from|down))?(?<object>.*)`,
  weakly: [
    `\\b(?:want|wants|need|needs|like|love|prefer|rather|wish|make|consider|better|best|should|must|to be|as in|see|get|have|having|if|were|was)\\b(?<object>.{0,80}?)${B}(?=[defgorsuw])(?:gone|deleted|erased|wiped|forgotten|removed|scrubbed|expunged|struck|unsaid|un-?remembered|(?:out of|off) (?:here|there|your|ur|the record))\\b`,
    `^(?:${POLITE} )*(?:gone|out it goes)\\b(?<object>.*)`,
    { source: `${B}(?:needs|need|has|have|got|gotta|must|should|ought)(?: to)? (?:go|disappear|vanish|be gone)\\b` },
    { source: `${B}(?:can|could|may|should) (?:it|that|this|they|we) (?:just )?(?:vanish|disappear|go away|go)\\b` },
    "\\bstop (?:saying|bringing up|mentioning|reminding me (?:of|about)|telling me about)\\b(?<object>.*)",
    "\\bput (?<object>.{0,60}) in the (?:bin|trash|rubbish)\\b",
  ],
  wishes: [
    // It should not be kept.
    `\\b(?<!(?:^| )(?:i|we|he|she|they|who) )(?:do not|don'?t|dnt|never|not|no need to|needn'?t|stop|without|didn'?t|wouldn'?t|won'?t|isn'?t|wasn'?t|weren'?t|aren'?t|shouldn'?t|mustn'?t|can'?t|cannot|nor|no longer)(?: \\p{L}+){0,4}? ${KEEPING}\\b(?! (?:me|us|going|up|calm|forgetting)\\b)(?<object>.*)`,
    // It should not be here.
    `(?:${B}(?:not|never|no|without|cannot|rather|nowhere)|n'?t)${B_END}.{0,40}? (?=[abcfghklpst])(?:sit|sits|sat|sitting|lying|be|been|gone|stay|staying|left|have|having|live|stored|kept|appear|show up|come up|turn up|pop up|floating|hanging)${B_END}.{0,16}? (?=[fio])${HERE}`,
    `\\b(?:have|hold|keep|leave) no (?:record|trace|memory|note|knowledge)s?(?: of| about)?(?<object>.*)`,
    `\\b(?:could|can|would) ${YOU} (?:please )?not (?:have|keep|hold|know|store|remember|save|show|bring)\\b(?<object>.*)`,
    // It was never said.
    `\\b(?:pretend|act|make believe|make like|behave|carry on|go on) .{0,60}?${B}(?=[dhn])(?:never|didn'?t|don'?t|not|haven'?t|hadn'?t|no)\\b(?<object>.*)`,
    `\\b${YOU} (?:never|didn'?t|don'?t|dont|do not|shouldn'?t|should not|mustn'?t|no longer|needn'?t|haven'?t|(?:aren'?t|are not) meant to) (?:to )?(?:(?<!never )know|have|hear|heard|hold|saw|see|need|be holding)\\b(?! (?:to be|to do|to go|to say|if|what|how|where|when|why|me|any idea)\\b)(?<object>.*)`,
    `\\bi never (?:told|said|mentioned|typed|wrote|gave) (?:(?:this|that|it|anything|a thing) )?(?:to )?${YOU}\\b(?<object>.*)`,
    `\\b(?:i|we) (?:do not|don'?t|dont|wouldn'?t|would not|no longer|cant|can'?t)(?: really)? (?:want|like|need|fancy|have)(?! (?:to (?:forget|miss)|any|a|an|some|much|enough|kids|time)\\b)(?<object>.{0,60}?) (?:kept|stored|saved|held|remembered|recorded|written down|(?:on|in) (?:here|there)|read out|bringing|brought up|coming up|come up|popping up|knowing|sitting|lying|floating|hanging|(?:you|u|this|that|it|anyone|anybody) to (?:keep|hold|have|remember|store|know))\\b`,
    `\\b(?:i|we)(?:'?d| would)? (?:rather|prefer|prefer it if|wish) (?:that )?(?:${YOU} (?:didn'?t|did not|don'?t|wouldn'?t|not)|(?:it|this|that|they) (?:wasn'?t|weren'?t|was not|isn'?t))\\b(?<object>.*)`,
    "\\b(?:do not|don'?t|dont|never)(?: ever| again)? (?:produce|bring (?:it|that|this|him|her|them) up|bring up|show) (?:it|that|this|him|her|them)?\\b(?<object>.*)",
    `^(?:${POLITE} )*(?:no|zero|not any|not a) (?:more )?(?:records?|traces?|memory|mentions?|notes?)\\b(?<object>.*)`,
    "\\b(?:i|we)(?:'?d like to| want to|'?ll| will| must| have to)? (?:take back|retract|withdraw|revoke|unsay)\\b(?<object>.*)",
    "\\btop secret\\b|\\boff the record\\b",
  ],
  harmless: [
    "\\b(?:do not|don'?t|dnt|never|not|won'?t|wont|can'?t|cant|cannot|mustn'?t|must not|didn'?t|lest i|before i|in case i|ever|always|keep|keeps|started|starting|(?<!(?:you|u) )to|and i|i|i'd|i'll|we|he|she|they|who|did (?:you|u)|do (?:you|u)|(?:you|u)'?ll|nearly|almost|totally|completely) (?:(?!you |u )\\p{L}+ ){0,2}?forg[eo]t\\p{L}*",
    "\\bforget it\\b[\\s,.!-]{0,6}(?=$|(?:,|\\.|!)|let'?s|lets|how about|what about|i'?ll|we'?ll|never ?mind|its? (?:fine|ok)|another|new|back to|can we|can you (?!forget|delete|remove|wipe|erase))",
    "\\bforget (?:that|this)\\b[\\s,.!-]{0,6}(?=let'?s|lets|how about|what about|i'?ll|we'?ll|can we)",
    "\\bforget (?:about )?(?:the |that |it|him|her)?[^.?!]{0,30}[,.!-] ?(?:let'?s|lets|how about|what about|instead|can we|we'?ll|we can|i'?ll)\\b",
    `\\b(?:how|can|do|did|should|could|may|shall|must|why|when|where) (?:do |can |should |would |to |did )?(?:i|we|he|she|they) (?:ever |just |even )?(?:delete|remove|erase|wipe|clear|drop|bin|forget|get rid)\\b(?!.{0,80}?${B}(?:${SAYING}|${YOU})\\b)`,
    `\\b(?:how to|ways? to|trying to|going to|gonna|need to|have to|want to|got to|gotta|wanted to|used to|able to|tried to|forgot to|supposed to|decided to) (?:delete|remove|erase|wipe|clear|drop|bin|get rid|throw|lose|cut|scrub|take|ditch)\\b(?!.{0,80}?${B}(?:${SAYING}|${YOU})\\b)`,
    "\\b(?:delete|close|remove|erase) (?:my|our|the|this) (?:\\p{L}+ )?account(?=[\\s?.!]*$)",
    "\\bforget-me-not\\w*",
  ].join("|"),
  material:
    "\\b(?:paragraphs?|sentences?|commas?|bullets?|bullet points?|emojis?|headings?|titles?|intro|conclusion|line \\d|lines?|footers?|rows?|columns?|spaces|characters|spelling|function|variable|background|stains?|watermark|duplicates|wallpaper|virus|cookies|cache|browser|weight (?=by|before|for|fast|in)|tattoo|ink|limescale|rust|mould|mold|weeds?)\\b|\\b(?:from|off|on) (?:my|the|our|his|her) (?:\\p{L}+ ){0,3}(?:lists?|favou?rites?|favs?|faves?|ranking|top \\p{L}+|basket|calendar|itinerary|menu)\\b",
  ofEarlier: `\\b(?:any|every|all|no|each|the) (?:records?|notes?|mentions?|traces?|references?)(?: that| which)?(?: \\p{L}+){0,2} (?:of|about|to|on|where)\\b|\\b(?:earlier|last|previous|prior) (?:remarks?|comments?|messages?|statements?|thing|bit)\\b|\\b(?:is|was|are|were) (?:all )?(?:wrong|untrue|incorrect)\\b|\\b(?:you|u) (?:having|knowing|holding|keeping)\\b|\\bwhat (?:you|u) know\\b|\\b(?:the|that|them|those|all|my|his|her) (?:\\p{L}+ ){0,3}(?:thing|stuff|business|matter|bit)s?\\b|\\b(?:i|we|i'?ve|ive|i'd|we'?ve) (?:\\p{L}+ ){0,3}?${SAYING}\\b|\\bi (?:just )?(?:talked|spoke|moaned|told|asked)\\b|${HERE}|\\b(?:give|tell|type|typed|gave|giving|telling) (?:you|u|this|that|passwords?|it)\\b|\\b(?:that|this|it) (?:was|is|wasnt|wasn'?t) (?:wrong|a mistake|a joke|not right|incorrect|rubbish|private|confidential|in confidence|a bad day|mine to tell|a lie|nonsense|personal)\\b|\\b(?:thats|that's) (?:wrong|not right|private|personal)\\b|\\b(?:that|the|this|last) message\\b|\\b(?:bit|part|thing|stuff|business|matter) (?:about|where|on|with|regarding)\\b|\\b(?:thing|stuff|business|matter|bit)s?(?=$|[\\s,.!?]*$)|\\b(?:you|u) (?:hold|have|know|keep|stored|saved|remember)\\b|\\bon record\\b|\\bwritten down\\b`,
  refers: `\\b(?:delete|erase|wipe|scrub|purge) (?:the|that|my|his|her) (?:\\p{L}+ ){1,3}(?:thing|stuff|business|matter|bit)\\b|\\bpretend (?:that )?(?:i|we|you|it|this|that)\\b|\\b(?:everything|anything) about\\b|\\bbringing (?:it|that|this|him|her|them) up\\b|\\b(?:do not|don'?t|dont|never)(?: ever| again)? (?:produce|bring up|mention)\\b|\\b(?:i|we|i'?ve|ive|i'd|we'?ve) (?:\\p{L}+ ){0,3}?${SAYING}\\b|\\bwhat (?:was|you were) (?:said|told)\\b|${HERE}|\\bwhat (?:you|u) know\\b|\\b(?:bit|part|thing|stuff|business|matter) (?:about|where|on|regarding)\\b|\\b(?:records?|notes?|traces?|mentions?) of\\b|\\bon record\\b|\\b(?:that|last|previous|earlier) message\\b|\\b(?:you|u) (?:hold|stored|saved|remember) \\b|\\b(?:don'?t|do not|dont|never) (?:remember|memori[sz]e|(?:store|record)(?!.*\\b(?:in|at|on|under|near|with)\\b))\\b`,
  yet: "but|though|only|and",
  kept: [
    `\\b(?<!(?:not|n'?t|to|never|rather you) )(?:keep|keeping|hang on to|hold on to|hold onto|hang onto|retain|leave|leaving)\\b(?! (?:it|that|this|them) (?:out|off|alone)\\b)(?<object>.*)`,
    {
      source: `${B}(?:can|may|could|should|must|gets to|is allowed to|are allowed to|needs to|need to) (?:all )?(?:stay|remain|be kept|be left)\\b`,
    },
    {
      source: `${B}(?:(?:is|are|'?s|its|it's|they'?re|info|information|informations|part|bit|stuff|one|still) )(?:all )?(?:fine|ok|okay|oki|good|alright|all right|no problem|grand|cool|harmless|no secret|not secret|public|correct|true)\\b`,
    },
    "\\b(?:but|just) not (?<object>(?:the|my|his|her|our) .*)",
    "\\b(?:except|apart from|other than|all but|everything but|besides|aside from)\\b(?<object>.*)",
    "\\b(?:you|u) can (?:have|hang|hold|know|use|remember)\\b(?<object>.*)",
    "\\bi (?:still |do |will |'?ll )?(?:need|want) (?:that|it|those|them|this|the)\\b(?<object>.*)",
    `(?<object>(?:the|my|that) .{0,60}?)${B}i (?:do|still) (?:need|want)${B_END}`,
    "\\byes,? i (?:do )?still\\b(?<object>.*)",
    "\\bremember (?<object>(?:the|my|his|her|our|that my|just the|only the|\\p{L}+'s) .*)",
  ],
  rest: "\\b(?:the|all the) rest\\b|\\b(?:everything|anything|all) else\\b|\\bothers?\\b(?: (?:things?|stuff|info\\w*|bits?|parts?|details?))?\\b|\\bremainder\\b|\\bonly (?:this|that)\\b|\\bjust (?:this|that) (?:one|bit|part|thing)\\b",
  whole:
    "\\b(?:all of (?:it|that|them)|everything|the lot|the whole (?:thing|message|lot)|that message|whatever|anything|completely|stuff|things?|matter|business|story|affair|details|any of (?:it|that)|all that)\\b",
  all: "\\b(?:everything|anything|all(?: of)? (?:the )?(?:things|stuff|mentions|references|that)?|every|whatever|any)\\b(?: \\p{L}+){0,4}? (?:about|on|regarding|re|to do with|of|with)\\b",
  asks: `(?:can|could|would|will|may|mind) (?:${YOU}|we|i)\\b`,
  itself:
    "but|though|only|and|i|at once|asap|any ?more|it|that|this|them|those|these|all|all of|lot|the|please|pls|plz|now|out|off|away|from|of|for me|ok|okay|completely|entirely|fully|forever|again|back|then|too|altogether|thanks|thank you|sharpish|asap|straight away|immediately|right away",
  joints:
    "and|but|so|cos|coz|cuz|because|bc|since|then|or|while|though|(?<!(?:not|n'?t|to|never|i|we|you|u|can|could|would|will|just|please|pls) )(?:take|bin|wipe|delete|remove|erase|drop|scrub|lose|dump|forget) (?:it|that|this|them|those)",
  adds: "and|or|nor",
  vague: `um uh er erm hm hmm lol haha yeah yep right well so mate about regarding concerning re thing things stuff matter business bit bits part parts piece one ones info information informations detail details note notes record records memory mind head file files system log history data account tool message messages last previous earlier before just again anymore anywhere any more longer point ever pls please thanks thank now completely entirely forever permanently whole lot everything anything whatever something said told tell mention mentioned gave give given shared share typed wrote write explain explained confessed asked talk talked say saying mine yours sorry wrong mistake private personal confidence secret keep kept hold store stored save saved remember remembered record recorded forget forgot wipe delete erase remove scrub scratch strike drop bin lose dump clear get rid gone want wanted would rather like need can could know known shouldnt wasnt dont didnt isnt wont cant id ive im its thats lets u ur ok okay oh god hey actually either way part away back off out take took sit sitting here there never always yes no not nor`,
};
