import type { LanguagePack } from "#core/language/pack";
import { ENGLISH_ASKED } from "./asked.ts";
import { ENGLISH_FORGET } from "./forget.ts";
import { ENGLISH_FORMS } from "./forms.ts";
import { ENGLISH_LIST_TALK } from "./list-talk.ts";
import { ENGLISH_LISTS } from "./lists.ts";
import { ENGLISH_SENSITIVITY } from "./sensitivity.ts";
import { ENGLISH_CALENDAR, ENGLISH_SIGNS } from "./signs.ts";
import { ENGLISH_SLOTS } from "./slots.ts";
import { ENGLISH_WORDS } from "./words.ts";

const FICTION =
  "(?:story|stories|poem|song|lyrics|novel|diary|dialogue|monologue|scene|script|screenplay|fan ?fic\\w*|role-?play|haiku|limerick|rap|tale|fable|quiz|sentences?|joke)";
const TEXT =
  "(?:text|e-?mail|essay|draft|story|poem|letter|lyrics|transcript|message|paragraph|article|bio|dialogue|conversation|log|reviews?|sentences?|chat|passage|excerpt|quote|note i (?:got|received))";
const POLITE =
  "(?:(?:can|could|would|will) (?:you|u) (?:please |pls )?|i(?:'d like| want| need) (?:you|u) to |help me (?:to )?|let's |let us )?(?:please )?";
const REWORKS =
  "(?:translate|rewrite|re-write|reword|rephrase|paraphrase|proof-?read|summari[sz]e|correct|polish|shorten|spell-?check|classify|reply to|respond to|complete the|fill in|continue (?:the|this|my))";
const SUPPOSES =
  "(?:imagine|suppose|supposing|assume|assuming|pretend|hypothetically|picture this|role-?play|act (?:as|like)|play (?:a|the) (?:role|part|game|character)|say (?=(?:i|i'm|my|we) )|let's (?:say|pretend|play|imagine))";
/** Words that announce a role-play or a story before a colon or comma. */
const PLAYS =
  "(?:for|in|as part of) (?:the|this|our|my|a|an) (?:[a-z-]+ ){0,2}(?:role-?play|rp|story|novel|scene|script|screenplay|skit|campaign|fan ?fic|character|persona)\\b[^.?!:,]{0,40}[:,]|(?:rp|role-?play|in[ -]character|ic|character (?:sheet|bio|description|profile)|my (?:character|persona)|backstory)\\b ?:";

export const ENGLISH: LanguagePack = {
  code: "en",
  spaced: true,
  words: ENGLISH_WORDS,
  slots: ENGLISH_SLOTS,
  signs: ENGLISH_SIGNS,
  calendar: ENGLISH_CALENDAR,
  possessive: "my|our|mine|ours|us",
  changes: {
    ended:
      "\\b(?:no longer|not? (?:[\\p{L}']{1,16} ){0,4}?any ?more|anymore|quit(?:ting)?|left|leaving|gave up|given up|giving up|stopped|packed in|jacked in|chucked|dropped|ditched|dumped|binned|scrap(?:ped)?|cancel(?:l?ed|l?ing)?|called off|fell through|falling through|(?:is|are|'s|s) (?:all )?off(?= |\\W{0,8}$)|off the (?:menu|table|cards)|broke up|broken up|split(?:ting)? up|we split|divorced?|separated|moved out|sold|got rid|gave away|given away|(?:went|gone|goes) bust|shut down|closed down|resigned|handed (?:[\\p{L}']{1,16} ){0,4}(?:in|back)|let (?:[\\p{L}']{1,16} ){0,3}go|laid off|sacked|made redundant|retired|declined|turned (?:[\\p{L}']{1,16} ){0,3}down|pulled out|backed out|withdr[ea]wn?|expired|ran out|run out|passed away|died|put to sleep|put (?:[\\p{L}']{1,16} ){0,3}down|is dead|(?:finished|done|over) with|is over|'s over|'s done|had enough|gone off|went off|can't stomach|cleared|not allergic|deleted|lost|knocked (?:[\\p{L}']{1,16} ){0,4}on the head|gone back on|forget (?:the|about|what)|never ?mind|didn'?t last|not going|stood down|stepped down|deferred|put a stop|gone on|gone to|voted (?:[\\p{L}']{1,16} ){0,2}out)\\b",
    renewed:
      "\\b(?:now|nowadays|these days|from (?:now|here|today|monday|tuesday|wednesday|thursday|friday|saturday|sunday|next|january|february|march|april|may|june|july|august|september|october|november|december)\\b|as (?:of|from)|instead|rather than|switch(?:ed|ing)|swapp(?:ed|ing)|chang(?:ed|ing)|mov(?:ed|ing)|transferr(?:ed|ing)|replaced|upgraded|downgraded|(?:went|gone) over|converted|turns out|no wait|wait no|scratch that|i meant|correction|my mistake|changed my mind|come round|came round|(?:gone|went|goes|put|been) (?:up|down)|raised|bumped|stretched|extended|drop(?:ped)? (?:it |them )?to|cut to|down to|up to|resubscribed|rejoined|signed up again|brought forward|pushed (?:back|to|out)|put back|rescheduled|rearranged|rebooked|postponed|taken over|took over|until further notice|til further notice)\\b",
    stops:
      "\\b(?:stop|quit|drop|skip|cut|leave|lose|lay off|enough|no more|no need|any ?more|(?:needn'?t|need not|(?:don'?t|do not) (?:have|need) to))\\b",
    resumes: "\\b(?:again|normal(?:ly)?|as before|like before|back to|you (?:can|may) (?:use|start|go back))\\b",
    happened:
      "\\b(?:yesterday|last (?:night|week|weekend|month|year|summer|winter|spring|autumn|fall|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|(?:days|weeks|months|years|week|month|year) (?:ago|back)|the other day|earlier today|used to)\\b",
    unreal:
      "\\b(?:almost|nearly|dream(?:t|ed|ing|s)?|nightmare|thought (?:about|of|i)|think(?:ing)? (?:about|of|out loud)|consider(?:ed|ing)?|tempted|wanted to|was (?:going to|gonna|about to)|were (?:going to|about to)|might|may|could|planning|plan to|plans to|hop(?:e|ing) to|want(?:s|ed)? (?:me|us) to|should|rumou?rs?|afraid|worried|scared|pretend\\p{L}*|jok(?:e|ed|ing)|what if|talked me out|some ?day|one day|offer(?:ed|s)?|ask(?:ed|s) (?:me|us|if)|say no|said no|refus(?:e|ed))\\b",
    once: "\\b(?:this once|(?:just|only) once|once only|one[- ]off|this (?:week|weekend|time|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday|thurs?|morning|afternoon|evening)(?:'s)?|next (?:week|weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday)(?:'s)?|today|tonight|tomorrow|yesterday|for now|for (?:a|one|two|the) (?:day|week|weekend|weeks|days|night|fortnight)|this one time|for once|exception\\p{L}*|bank holiday|holiday)\\b",
    beside:
      "\\b(?:also|too|as well|besides|additional\\p{L}*|in addition|another|a second|second|third|other|extra|on top of|on the side|next door|both)\\b",
    stays:
      "\\b(?:still|stays?|stayed|staying|kept|keeps?|keeping|remains?|the same|same|as (?:before|always|ever|usual|it is)|like always|unchanged|the rest|the other|only the|just the|otherwise|apart from|nothing else|others)\\b",
  },
  asks: {
    amount:
      "\\b(?:how (?:much|many|long|old|far|big|often|tall|heavy)|what (?:time|date|day|year|price|rate|size|number|age)|when|whens|when's)\\b",
    byAssistant:
      "\\b(?:did|have|had) (?:you|u)\\b|\\b(?:you|u)(?:'d|'ve|d|ve)? (?:just |once |also |already )?(?:[a-z]{2,12}ed|said|told|gave|thought|taught|showed|wrote|made|sent|found|came|got|had|meant|put)\\b",
    person: "\\b(?:who|whose|whom|name|named|called)\\b",
    known:
      "\\b(?:remind|again|did|was|were|which|when|where|who|whose|what'?s (?:my|our)|what (?:is|are) (?:my|our)|how (?:much|many))\\b",
  },
  greetings:
    "good (?:morning|afternoon|evening|night|day)|g'?night|happy (?:birthday|new year|easter|christmas)|merry christmas|see (?:you|ya)(?: (?:later|soon|tomorrow))?|have a (?:good|great|nice|lovely) (?:one|day|evening|weekend|week|night)",
  amounts:
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|half|quarter|dozen|quid|pounds?|euros?|dollars?|bucks|tenner|fiver|o'?clock|noon|midnight",
  frames: {
    standing:
      "(?:please |pls |plz )?(?:always|never|from now on|going forward|whenever|every time|each time|any ?time)\\b(?! (?:i|we|he|she|they|mind|again|ever)\\b)",
    prefers:
      "\\bi (?:really |usually |generally |always |definitely |personally |would )*prefer\\b|\\bi'd (?:prefer|rather)\\b|\\bmy preference (?:is|for)\\b",
    ends: "\\b(?:until|till|til|by) (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tue|tues|wed|thu|thurs|fri|sat|sun|tomorrow|tonight|then)\\b|\\b(?:this (?:week|weekend|morning|afternoon|evening)|for (?:a few|two|three|\\d) days)\\b",
    steering:
      "\\b(?:always|never|only|must|should|has to|have to|needs? to|wants? you to|wants)\\b.{0,60} (?:told|tell|answers?|answered|recommend[a-z]{0,4}|repl(?:y|ies|ied)|responds?|share|mention[a-z]{0,3}|promot[a-z]{0,3}|advertis[a-z]{0,3})\\b",
    anybody: "everyone|everybody|anyone|anybody|someone|somebody|assistants?|ai|model|bot|chatbot|users?",
    asked:
      "(?:do(?! not\\b)|does|is|are|isn't|aren't|doesn't|(?:did|am|was|were|have|has|had|should|would|could|can|will|shall|may|didn't|won't|wouldn't|couldn't|haven't|hasn't)(?= (?:i|you|u|we|they|he|she|it|there|this|that|these|those|the|my|your|our|his|her|their|any|anyone|someone|an?)\\b)|don't (?:i|you|we)|what|what's|whats|where|where's|who|who's|whom|whose|why|how|how's|which|when (?:do|did|does|is|are|was|were|will|should|can)|any idea)\\b",
    relative: "(?:which|who|who's|whom|whose|where)\\b",
    tag: "(?:right|correct|no|yes|don't (?:i|we)|isn't it|aren't (?:i|we)|didn't i|haven't i|do i|am i|ok|okay|huh|eh|yeah|innit)",
    request:
      "(?:please |pls )?(?:can|could|would|will) (?:you|u) (?:please |pls |also |just )?(?=(?:remind (?:me|us) (?:to|about|that)|remember (?:that|my|i|our)|note that|keep in mind)\\b)",
    supposed:
      "\\b(?:if|suppose|supposing|imagine|pretend|assume|assuming|let'?s say|hypothetically|would|wish|unless|whether|in case|had i|were i|maybe|perhaps)\\b|^say (?=(?:i|i'm|my|we)\\b)",
    reported:
      "\\b(?:said|says|saying|tells|told|asked|wrote|writes|claims?|claimed|thinks|believes|insists|replied|answered|reads|according to|was like|you (?:could|might) say|(?:you|they|people|he|she|we) (?:think|say|know|guess|believe))\\b",
    attributed:
      ",\\s*(?:as )?(?:he|she|they|you|my \\p{L}+|(?!i )\\p{L}+) (?:said|says|told|claims|claimed|wrote|joked|asked|replied|laughed|sings|sang|thinks|goes)(?=\\W*$|,)|,? (?:says|reads|claims|goes) (?:the|a|an|this|that) (?:[a-z-]+ )?(?:headline|article|title|caption|sign|label|book|post|tweet|meme|ad|advert|poster|sticker|t?-?shirt|mug|cup|slogan|note|letter|song|lyric|blog|paper|study|survey|review|quote|card|banner|billboard)\\W*$",
    past: "\\b(?:used to(?! (?:it|the|this|that|being)\\b)|back then|as a (?:kid|child|teen\\w*)|when i was|growing up|in my childhood|previously|formerly)\\b",
    material:
      `${POLITE}${REWORKS}\\b` +
      `|${POLITE}(?:write|compose|draft|create|make|generate|give me|tell me|sing|invent)\\b[^.?!]{0,120} ${FICTION}\\b` +
      `|${POLITE}(?:check|fix|edit|improve|analy[sz]e|explain|review|evaluate|rate|write|answer|describe|format|read|consider|look at|see|correct)\\b[^:]{0,200}:(?!\\d)` +
      `|(?:here(?:'s| is| are)|this is|below is|see) (?:the|my|an?|some|his|her|their) (?:[\\p{L}-]+ ){0,2}${TEXT}\\b` +
      "|(?:the )?(?:lyrics|transcript|excerpt|poem|story|quote|text|email|draft|essay|prompt|example)s?\\b[^:]{0,40}[:：]" +
      "|(?:which|what) (?:one |sentence |version |of (?:these|the following) )?(?:is|are|sounds) (?:more )?(?:correct|right|better|natural)\\b" +
      "|is (?:this|the following|it)\\b[^:]{0,60}:(?!\\d)" +
      "|dear (?:mr|mrs|ms|dr|sir|madam|hiring|team|all|prof|professor|colleagues|(?!god\\b|me\\b|lord\\b)\\p{L}+)\\b" +
      "|(?:for example|e\\.g\\.?|ex|fwd|model answer[^:]{0,20}|example|for instance|template)\\b ?[:,]",
    staged: `${POLITE}${SUPPOSES}\\b|let'?s (?:say|pretend|play|imagine|rp|(?:do (?:a |an |some )?)?role-?play|larp)\\b|knock[,!.]? knock\\b|you(?:'re| are) (?:captain|king|queen|prince|princess|lord|sir|lady|santa|god|my (?:teacher|boss|doctor|mum|mom|dad|therapist|girlfriend|boyfriend|wife|husband))\\b|${PLAYS}|(?:from now on,? )?you(?:'re| are) (?:now )?an? (?!(?:life ?saver|genius|star|legend|angel|machine|great|good|bit|hero)\\b)\\p{L}`,
    elsewhere:
      "\\bin (?:the|my|a|this|that|our) (?:[\\p{L}-]+ )?(?:story|novel|dreams?|role-?play|fanfic|screenplay|poem|campaign|scenario|example|exercise|hypothetical|song)\\b|\\b(?:the|his|her) (?:character|protagonist|narrator)\\b|\\bmy (?:character|protagonist|persona|d&d)\\b",
    laughter: "\\b(?:lol|lmao|lmfao|rofl|(?:ha){2,}h?|hehe|heh|jk)\\b",
    joke: "\\b(?<!not |no |n't |ain't )(?:just kidding|kidding|jk|j\\/k|joking)\\b|\\b(?:haha|lol|nah|no)\\b,? not really|(?:^|\\s)\\/s$",
    reopening: "(?:but|yet|anyway|by the way|btw)\\b",
    aside: "(?:by the way|btw|p\\.?s\\.?|unrelated|side note)\\b",
    harmless:
      "\\b(?:not gonna lie|if you ask me|if you (?:really )?(?:must|want to|wanna) know|in case you \\p{L}+|(?:since |as )?you (?:asked|wanted to know)|no lie|i (?:\\w+ )?(?:said|told (?:you|u|ya)|mentioned|wrote)|as i said|like i said|if (?:possible|u can|you can|you could|that's ok)|i(?:'d| would) (?:rather|prefer)|you know)\\b",
  },
  conjunctions: "and|but|so|because|bc|cos|cuz|coz|since|though|although|while|whereas|if|when|which|until|til|till|unless|then",
  joins:
    "with|without|who|who's|whose|whom|which|that|where|or|nor|also|plus|as well as|along|together|besides|except|despite|in spite of|due to|thanks to|on account of|being|having|as (?:someone|somebody|a person)",
  since: "since|until|til|till",
  stating: {
    calls: "called named name's birthday's",
    words:
      "two three few ago originally recently again back currently still as lived based relocated reside married engaged dating full part",
    ofOccupations:
      "marine phd software hardware data web frontend backend full stack primary secondary high school senior junior chief head assistant civil mechanical electrical structural chemical product project marketing sales graphic fashion interior taxi bus truck lorry train music maths math science history english physics chemistry biology geography art language kindergarten nursery dental veterinary pastry police social",
    years: "in",
    employed: "at for",
  },
  shared: {
    pronoun: "i|we",
    copula: "am|are",
    states: "allergic|intolerant|diabetic|coeliac|celiac|asthmatic|epileptic|pregnant|deaf|blind|autistic|dyslexic|disabled",
  },
  subjects:
    "i|i'm|im|i've|ive|i'll|ill|i'd|my|we|we're|we've|our|he|he's|hes|she|she's|shes|they|it's|its|can you|could you|please|pls|what|how|dont|don't",
  before:
    "as (?:i|you) (?:said|mentioned|know)|like i (?:said|mentioned)|just so you know|by the way|to be (?:honest|fair|clear)|in general|for the record|for context|fun fact|the thing is|of course|given that|considering that|in fact|well|so|okay|ok|oh|ah|aw|hm+|um+|uh|yeah|yep|yes|yup|(?:no|nope|nah)(?=[,.!])|sure|right|thanks|thank you|thx|great|cool|nice|hi|hey|hello|anyway|also|and|but|plus|then|now|actually|honestly|frankly|personally|basically|seriously|fyi|btw|tbh|imo|imho|generally|obviously|clearly|besides|unfortunately|fortunately|luckily|because|cause|cuz|since|as|while|although|though|haha|lol|please|pls|plz|update|edit|today|lately|nowadays",
  after:
    "please|pls|plz|thanks|thank you|thx|tbh|btw|lol|haha|though|sorry|fyi|imo|you know|obviously|definitely|of course|for sure",
  abbreviations: "mr|mrs|ms|dr|prof|st|sr|jr|vs|etc|e\\.g|i\\.e|approx|no|u\\.s|a\\.m|p\\.m",
  labels:
    "note|fyi|ps|p\\.s|about me|intro|context|background|reminder|update|edit|remember|important|preferences?|diet|facts?|fun fact|also|btw|correction|name|quick intro|info|bio|tl;dr|translate|rewrite|lyrics|paraphrase|correct|rephrase|answer|ok|okay|me|well|hey|hi|so|anyway|favou?rites",
  forwarded: "original|forwarded",
  mailLines: "begin forwarded message|on [^\\n]{4,160}wrote[^\\n]{0,60}:[ \\t]*$|(?:from|subject)[ \\t]*[:：][ \\t]*\\S",
  sensitivity: ENGLISH_SENSITIVITY,
  moment: {
    words:
      "right now|just now|at the moment|for now|in a (?:minute|moment|second|sec|bit)|today|tonight|this (?:morning|afternoon|evening)",
    actions:
      "(?:is|are|am|be|i[’']m|(?:he|she|it|that|who)[’']s|(?:we|you|they)[’']re) (?:\\S{1,40} ){0,6}(?:next|now|soon)(?![\\p{L}\\p{N}])",
  },
  negation: {
    words: "not|never|no longer|no|none|nobody|nothing|neither|nor|without|cannot|\\p{L}+n['’]t|dont|doesnt|didnt|cant|wont|isnt",
    contrary:
      "dislik\\p{L}*|hat(?:e|es|ed|ing)|detest\\p{L}*|loath\\p{L}*|avoid\\p{L}*|refus\\p{L}*|lack\\p{L}*|unable|stopp?(?:ed|s|ing)?|quit\\p{L}*|gave up|given up|fail\\p{L}*|allerg\\p{L}*|intoleran\\p{L}*|against|opposed",
    idioms:
      "(?:don['’]?t|do not|never)(?: let (?:me|us))? forget|can['’]?t wait|not only|why (?:not|don['’]?t)|no (?:doubt|wonder|problem)",
  },
  diets: "vegan|vegetari|halal|kosher|gluten|dairy|lactose",
  names: {
    notAfter: "an?|the|my|your|his|her|our|their|this|that|some|any|no|in|since",
    verbs: "\\p{L}+[st]|can|will|can't|won't|doesn't|isn't|hasn't",
  },
  asked: ENGLISH_ASKED,
  lists: ENGLISH_LISTS,
  listTalk: ENGLISH_LIST_TALK,
  forms: ENGLISH_FORMS,
  forget: ENGLISH_FORGET,
};
