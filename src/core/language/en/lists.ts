import { cardinal, EDGE, LETTERS, LINK, type ListWords, ordinal } from "#core/language/list-words";
import { englishPlural } from "./nouns.ts";

const ORDINALS =
  "first(?:ly)? second(?:ly)? third(?:ly)? fourth(?:ly)? fifth(?:ly)? sixth seventh eighth? ninth tenth eleventh twelf?th thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(
    " ",
  );
const FIGURES = "\\d{1,2}(?:st|nd|rd|th)";
const ORDINAL = ordinal(ORDINALS, FIGURES);
const CARDINALS = "one two three four five six seven eight nine ten eleven twelve".split(" ");
const CARDINAL = cardinal(CARDINALS);
const FAV = "(?:fav(?:ou?rite?|e)?s?)";
const TOP = `(?:top[ -]?${CARDINAL})`;
const NUMBER = "(?:#|number[ -]|num |no\\.? ?)";
const STOP_EN =
  "(?:are|r|is|was|were|be|isn't|aren't|isnt|arent|wasn't|weren't|and|or|of|in|on|for|to|from|with|by|at|as|right|now|currently|these|so|ranked|ranking|ordered|ever|atm|rn|used|would|will|could|might|should|may|has|have|had|that|which|who|when|because|then|list|number|not|never|my|go|goes|again|please|pls|though|fyi|btw|imo|imho|tbh|lol|honestly|too|also|anyway|today|tomorrow|yesterday|last|this|next|since|before|after|even|only|just|still|here|there|during|according|like|about|between|without|behind|than|per|you|your|his|her|their|our|it|what|called|if|do|does|did|changed|became)";
const WORD_EN = `[${LETTERS}\\d][${LETTERS}\\d&+-]{0,40}(?:'[sS](?= [${LETTERS}]))?`;
const NOUN_EN = `(?<noun>${WORD_EN}(?: ${WORD_EN}){0,6}?)`;
const MODS_EN = `(?:(?:all[- ]time|absolute|own|personal|current|new|overall|very|ultimate|ranked|updated|full|complete|list of|ranking of|ranked list of|(?<count>${TOP}|${CARDINAL})) ){0,4}`;
const ORDER_EN =
  "(?:in order(?: of (?:preference|liking|importance))?|in (?:this|that|ranked|descending) order|ranked(?: in order)?|ranking|from (?:best|most|favou?rite|first|top) to (?:worst|least|last|bottom)|best first)";
const QUAL_EN = `(?: ?[,(]? ?(?:of all[- ]time|ever|right now|at the moment|currently|these days|so far|now|atm|rn|list|${ORDER_EN})\\)?,?){0,2}`;
const FILL_EN = `(?:,? (?:now|currently|still|as follows|the following|these|definitely|probably|actually|officially|basically|always|easily|clearly|obviously|\\(?${ORDER_EN}\\)?)){0,3}`;
const VERB_EN = `(?:,? (?:are|is|r|have always been|has always been|(?:would |will )?(?:have|has) to be|must be|go|goes like this|go like this)|'s|'re)(?![${LETTERS}'])(?! (?:not|never|no longer|neither|being)(?![${LETTERS}]))${FILL_EN}[ ,:;-]{0,20}\\n{0,2}`;
const IS_EN = `(?:,? (?:is|are|changed to|became)|'s| ?[:=])(?![${LETTERS}'])(?! (?:not|never|no longer)(?![${LETTERS}]))${FILL_EN}[ :]{0,20}`;
/** Where nothing links a noun to what follows, it ends with its clause. */
const END_EN = `(?= ?(?:[^${LETTERS}\\d\\s'&+-]|\\n|$)| ${STOP_EN}(?![${LETTERS}\\d]))`;

const RANK_EN = `(?<rank>${ORDINAL}|${NUMBER}${CARDINAL}|top|last)`;
const NUMBERED_EN = `(?<rank>${NUMBER}${CARDINAL}|top)`;
const WHAT_EN =
  "(?:(?:what|which|who|wh?at)(?:'?s| is| was|'re| are| were)?(?: again)? |name |give me |show me |tell me |remind me(?: of| about)? )(?:the name of )?";
const ARE_EN = "(?:(?:what|which)(?:'re| are| were)?(?: again)? (?:all (?:of )?)?)";
const LIST_VERB =
  "(?:(?:list|show|show me|tell me|give me|name|display|print|recite|recall|repeat|read me|read out|remind me of|bring up|pull up|(?:let me|can i|could i|may i|i want to|i wanna|i'd like to) (?:see|get|have|hear))(?: me)?(?: again)? (?:all (?:of )?)?(?:(?:the |a )?(?:full |whole |complete |entire |ranked )?(?:list|ranking) of )?)";
const MINE_EN = `my (?:(?:all[- ]time|own|personal|current|absolute|full|whole|complete|entire|ranked|list of|ranking of|${TOP}|${CARDINAL}) ){0,3}`;
const ON_LIST = "(?: (?:on|in) (?:my|the) (?:list|ranking))";

export const ENGLISH_LISTS: ListWords = {
  ordinals: ORDINALS,
  figures: FIGURES,
  cardinals: CARDINALS,
  numbers: NUMBER,
  noNoun: STOP_EN,
  intros: [
    {
      form: "list",
      source: `${EDGE}my ${MODS_EN}${FAV} (?:${CARDINAL} )?${NOUN_EN}${QUAL_EN}(?:${VERB_EN}|${LINK})`,
    },
    {
      form: "list",
      knownOnly: true,
      source: `${EDGE}my (?:all[- ]time )?(?<count>${TOP}) ${NOUN_EN}${QUAL_EN}(?:${VERB_EN}|${LINK})`,
    },
    {
      form: "list",
      knownOnly: true,
      source: `${EDGE}my ${NOUN_EN} (?:ranking|ranked|(?<count>${TOP}))${QUAL_EN}(?:${VERB_EN}|${LINK})`,
    },
    {
      form: "list",
      source: `(?<=^)(?:${TOP} |${CARDINAL} )?${FAV} ${NOUN_EN}${QUAL_EN}(?: ?[:=]+[ \\n]*|\\n{1,2})`,
    },
    {
      form: "single",
      source: `${EDGE}my (?<rank>${ORDINAL}|${NUMBER}${CARDINAL})[ -](?:most[ -])?${FAV} ${NOUN_EN}${IS_EN}`,
    },
    { form: "single", knownOnly: true, source: `${EDGE}my (?<rank>${NUMBER}${CARDINAL}) ${NOUN_EN}${IS_EN}` },
    { form: "single", source: `${EDGE}my ${FAV} ${NOUN_EN} (?<rank>${NUMBER}${CARDINAL})${IS_EN}` },
    {
      form: "single",
      source: `${EDGE}my (?<rank>${ORDINAL}|${NUMBER}${CARDINAL})(?: ${FAV})?(?: one| choice| pick)?${IS_EN}`,
    },
    {
      form: "backward",
      source: `(?: (?:is|are)|'s) (?:now |actually |definitely |still )?my (?<rank>${ORDINAL}|${NUMBER}${CARDINAL})[ -](?:most[ -])?${FAV}(?: ${NOUN_EN})?${END_EN}`,
    },
    {
      form: "backward",
      knownOnly: true,
      source: `(?: (?:is|are)|'s) (?:now |actually |definitely |still )?my (?<rank>${NUMBER}${CARDINAL}) ${NOUN_EN}${END_EN}`,
    },
    {
      form: "backward",
      source: `(?: (?:is|are)|'s) (?:now |actually |definitely |still )?my ${MODS_EN}${FAV} ${NOUN_EN}${END_EN}`,
    },
  ],
  questions: [
    { ask: "rank", source: `${WHAT_EN}my ${RANK_EN}[ -](?:most[ -])?${FAV} ${NOUN_EN}` },
    { ask: "rank", bare: true, source: `(?:my )?${RANK_EN}[ -](?:most[ -])?${FAV} ${NOUN_EN}` },
    { ask: "rank", knownOnly: true, source: `${WHAT_EN}my ${NUMBERED_EN} ${NOUN_EN}` },
    { ask: "rank", source: `${WHAT_EN}my ${FAV} ${NOUN_EN} (?<rank>${NUMBER}${CARDINAL})` },
    { ask: "rank", source: `(?:what|which) ${NOUN_EN} (?:is|was) my ${RANK_EN} ${FAV}` },
    {
      ask: "rank",
      knownOnly: true,
      source: `(?:what|which) ${NOUN_EN} (?:is|was) my (?<rank>${NUMBER}${CARDINAL})(?: choice| pick| one)?`,
    },
    { ask: "rank", knownOnly: true, source: `(?:what|which) ${NOUN_EN} (?:is|was) ${RANK_EN}${ON_LIST}` },
    {
      ask: "rank",
      source: `${WHAT_EN}(?:(?:at|in) )?(?:the )?${RANK_EN}(?: (?:one|item|entry|place|spot|(?<same>${NOUN_EN.replace("?<noun>", "?:")})))? (?:on|in|of|from|among) (?:(?:my|the) (?:list|ranking) of (?:my )?${FAV}|my ${FAV}) ${NOUN_EN}(?: list| ranking)?`,
    },
    { ask: "rank", knownOnly: true, source: `${WHAT_EN}(?:the )?${RANK_EN}(?: one)? (?:on|in) my ${NOUN_EN} (?:list|ranking)` },
    {
      ask: "rank",
      source: `(?:out )?of (?:all )?my ${FAV} ${NOUN_EN},? (?:what|which)(?: one)?(?:'s| is| was| comes)(?: in)?(?: the| my)? ${RANK_EN}(?: one)?`,
    },
    {
      ask: "rank",
      source: `(?:what|which)(?: one)? of my ${FAV} ${NOUN_EN} (?:is|was|comes)(?: in)?(?: the| my)? ${RANK_EN}(?: one)?`,
    },
    { ask: "list", source: `${ARE_EN}${MINE_EN}${FAV} (?:${CARDINAL} )?${NOUN_EN}(?: list)?` },
    { ask: "list", singularVerb: true, source: `(?:what'?s|what is) ${MINE_EN}${FAV} ${NOUN_EN}` },
    {
      ask: "list",
      source: `(?:what'?s|what is) (?:my (?:list|ranking) of ${FAV}|(?:the|my) (?:list|ranking) of my ${FAV}|my ${FAV}) ${NOUN_EN} ?(?<!of.{0,60})(?:list|ranking)`,
    },
    { ask: "list", source: `(?:what'?s|what is) (?:(?:the|my) (?:full |whole )?(?:list|ranking) of (?:my )?${FAV}) ${NOUN_EN}` },
    { ask: "list", singularVerb: true, source: `${LIST_VERB}${MINE_EN}${FAV} (?:${CARDINAL} )?${NOUN_EN}(?: list)?` },
    { ask: "list", knownOnly: true, source: `(?:${LIST_VERB}|${ARE_EN})my (?:all[- ]time )?${TOP} ${NOUN_EN}` },
    {
      ask: "list",
      knownOnly: true,
      source: `(?:${LIST_VERB}|what'?s |what is )my (?:top |full |whole )?${NOUN_EN} (?:list|ranking|${TOP})`,
    },
    { ask: "list", source: `(?:what|which) ${NOUN_EN} (?:are|were) my ${FAV}` },
    {
      ask: "list",
      source: `(?:what'?s|what is) on my (?:(?:list|ranking) of (?:my )?${FAV} ${NOUN_EN}|${FAV} (?<noun2>${NOUN_EN.replace("?<noun>", "?:")}) (?:list|ranking))`,
    },
    { ask: "list", knownOnly: true, singularVerb: true, source: `(?:${LIST_VERB}|${ARE_EN})my top ${NOUN_EN}` },
    { ask: "rank", bare: true, knownOnly: true, source: `my (?<rank>${NUMBER}${CARDINAL}) ${NOUN_EN}` },
    {
      ask: "rank",
      bare: true,
      source: `(?:the )?${RANK_EN}(?: one)? (?:on|in|of) (?:my (?:list|ranking) of (?:my )?${FAV}|my ${FAV}) ${NOUN_EN}(?: list| ranking)?`,
    },
    { ask: "list", knownOnly: true, source: `(?:what|which) ${NOUN_EN} do i (?:like|love|prefer)(?: the)? (?:best|most)` },
    {
      ask: "rank",
      knownOnly: true,
      source: `(?:what|which) ${NOUN_EN} do i (?:like|love|prefer)(?: the)? (?<rank>${ORDINAL})[ -](?:best|most)`,
    },
    { ask: "rank", bare: true, source: `my ${RANK_EN}[ -](?:most[ -])?${FAV} ${NOUN_EN} (?:is|was) what` },
    { ask: "list", bare: true, singularVerb: true, source: `${MINE_EN}${FAV} ${NOUN_EN}(?: list)?` },
  ],
  followUps: [
    {
      ask: "rank",
      source: `(?:and|what about|how about|and what about|and how about|what was|what is|what'?s|which (?:one )?(?:is|was)) (?:the ${RANK_EN}|(?<rank>${NUMBER}${CARDINAL}))(?: one)?`,
    },
    {
      ask: "rank",
      source: `(?:and|what about|how about|what is|what'?s|what was|and what(?:'s| is)) my ${RANK_EN}(?: ${FAV})(?: one)?`,
    },
    { ask: "rank", bare: true, source: `(?:and )?(?:what about )?(?:my|the) ${RANK_EN}(?: ${FAV})?(?: one)?` },
    { ask: "rank", bare: true, source: `(?:(?<rank>${NUMBER}${CARDINAL}|\\d{1,2}(?:st|nd|rd|th))|${RANK_EN} one)` },
    {
      ask: "list",
      source: "(?:list|show|show me|give me|tell me) (?:them|'?em|the (?:whole|full|entire|complete) list)(?: all)?",
    },
    { ask: "list", bare: true, source: "(?:what'?s |what is )?the (?:whole|full|entire|complete) list" },
  ],
  cue: "\\bmy |^(?:top \\w+ |\\w+ )?fav",
  questionCue: "\\bmy |fav|\\bi (?:like|love|prefer)",
  followUpCue: "\\b(?:the|my|them|'?em)\\b|\\bn(?:umber|um|o)\\b|\\bone$|list",
  favourite: "(?<!\\p{L})fav",
  mentions: "fav",
  mine: "favou?r|\\bfav|\\b(?:my|our|mine|top|best|rank\\w*)\\b",
  order: ORDER_EN,
  ordered: `(?<![${LETTERS}])go(?:es)?(?: like this)?[ :,]*$`,
  here: "here are |these are ",
  umbrella:
    "(?<![\\p{L}\\p{N}'])my (?:all[- ]time |personal |current |top \\d )?(?:favou?rites|favs|faves)(?: are| so far| list)? ?[:\\n]",
  is: "is|are|goes to|would be",
  and: "and|&",
  nameWords: "and|of|the",
  rankWords: "rank |number |no\\.? ?|place ",
  beforeOrdinal: "in |the |my ",
  afterOrdinal: " place| choice| pick| one| favou?rite",
  clauseStart:
    "i|i'm|we|he|she|they|you|it|there|my|your|his|her|that|this|which|what|who|when|if|getting|becoming|being|going|changing|based|very|so|too|really|all|both|much|quite|always|dont|don't|no|got|to|had|have|was|were|went|hard|easy|difficult|tough|impossible|the same|either|whatever|up to|different",
  noName: "that|this|it|which|what|who|there|he|she|they|something|anything|one",
  or: "or",
  next: "then|next up|next(?! (?:to|week|month|year|time|door|day))|followed (?:closely )?by|after that|afterwards|finally|lastly",
  comes: "comes|come|is|it's|by",
  firstly: "first(?:ly)?(?: of all)?|to start",
  inOrder: "in (?:that|this) order|in order|ranked",
  otherwise: "but|and (?:i|my|you|your|he|she|they|we|that's|it's)|while|whereas|although|though|so|which",
  placed: { before: "(?:is )?(?:in |on )?(?:the )?", last: "last", after: " place| spot" },
  aside:
    "because|cause|cuz|coz|bc|since|while|whereas|but|although|though|tho|and my|and for|and as|and i|and you|what about|how about|as well as my|if|when(?:ever)?|unless|depending",
  insteadOf: "instead of|rather than",
  remarkAfterComma: "it|its|it's|i|i'm|they|they're|like|which|that's|so|we",
  noise:
    "and|&|then|lol|lmao|rofl|haha{1,20}|hehe{1,20}|hihi{1,20}|xd|kek|omg|and (?:that's it|that's all|nothing else|so on|others)|that's it|that's all|any ?day|all day|hands down|etc|right now|i guess|i think|btw|imo|imho|tbh|for sure|obviously|of course|now|instead|please|pls|thanks|thx",
  leading: "is|are|would be|goes to|definitely|probably|actually|now|maybe|currently|simply|just",
  noValue:
    "\\?+|tbd|tba|n\\/?a|idk|none|nothing|unknown|undecided|not sure|no idea|dunno|still (?:deciding|thinking)|something|x+|_+|\\.+|blank",
  notAValue: "^(?:not|no longer|never) |fav(?:ou?r|e\\b|s?\\b)",
  clauseWords: "and|but|so|because|also|i think|i guess|i'd say|i believe",
  joins: "and|while|but",
  remarks: "well|ok|okay|oh|hey|hi|yes|yeah|no|nah|actually|honestly|also|btw|fyi|hmm|sure",
  article: "the colou?r ",
  courtesy:
    "thanks?(?: you)?(?: (?:so much|a lot|in advance))?|thx|ty|please|pls|hi|hey|hello|hi there|yo|ok|okay|cool|great|good (?:morning|evening)",
  greetings:
    "hey|hi|hello|yo|ok|okay|so|well|and|also|now|please|pls|plz|question|umm?|hmm|alright|actually|just|btw|by the way|i forgot|i forget|oh|cool|great|thanks|sorry",
  asking:
    "(?:can|could|would|will) you(?: please| kindly)?|do you (?:still )?(?:remember|know|recall)|you remember|remember|(?:please )?(?:remind|tell) me(?: again)?|do you (?:still )?have|i want to know|i'd like to know|any idea|help me remember|any chance you remember",
  trailing:
    "again|please|pls|plz|thanks|thank you|thx|now|currently|right now|is|was|are|were|so far|from memory|in order|in the right order|in (?:this|that) order|ranked|of all time|all|once more|one more time|for me|if you remember|do you (?:remember|know|recall)|(?:that )?i (?:told|gave|mentioned|listed|shared)(?: to| with)?(?: you)?(?: about)?(?: before| earlier)?|(?:that )?you have(?: (?:stored|saved|on file|for me))?|stored|saved|on file|then|lol|haha|mate|bro|dude|buddy",
  please: "please|pls|plz",
  requests:
    "(?:please |can you |could you )?(?:write|make|give|show|tell|list|explain|find|recommend|suggest|create|compare|translate|imagine|suppose|pretend|if)",
  ownVerb: "(?:tell me|remind me|remind me of) (?:all |the |my )",
  last: "last",
  chatWords: [
    ["(?<![\\p{L}'])u(?![\\p{L}'])", "you"],
    ["(?<![\\p{L}'])(?:gimme)(?![\\p{L}'])", "give me"],
    ["(?<![\\p{L}'])(?:lemme)(?![\\p{L}'])", "let me"],
    ["(?<![\\p{L}'])(?:wat|wot)(?=s?(?![\\p{L}']))", "what"],
    ["(?<![\\p{L}'])list (?:out|off)(?![\\p{L}'])", "list"],
    [" (?:did|have) i (?:say|said|tell you|told you|mention|mentioned|list|give you)(?: that)?(?= )| would you say(?= )", ""],
  ],
  kindOf: "(?:types?|kinds?|sorts?) of ",
  emptyNouns:
    "ones things stuffs picks choices lists items options favorites favourites its thems thats alls parts ways times places",
  of: "of",
  plural: englishPlural,
  topics: {
    favorite_colors: "color, colors, colour, colours",
    favorite_cryptos:
      "crypto, cryptos, crypto coin, crypto coins, cryptocoin, cryptocoins, cryptocurrency, cryptocurrencies, crypto currency, crypto currencies, crypto-currency, crypto-currencies, crypto token, crypto tokens, altcoin, altcoins",
    favorite_tv:
      "tv, tvs, tv show, tv shows, t.v. show, t.v. shows, tv-show, tv-shows, television show, television shows, show, shows, tv series, television series, series, serie, tv program, tv programs, tv programme, tv programmes, television program, television programs, television programme, television programmes, tvshow, tvshows, sitcom series, show on tv, shows on tv",
    favorite_candies: "candy, candies, candy bar, candy bars, sweet, sweets, sweetie, sweeties",
  },
  askedFor:
    "(?<!\\p{L})(?:list|show|show me|tell me|tell you|name|give me|guess|guess what|rank|sort|order|repeat|what(?: are|'s| is)?|whats|which are|(?<!(?:these|those|here|this|below|following) )(?:are|is)|were|was|do you know) ?$",
  others:
    "(?<![\\p{L}'])(?:(?:(?!(?:here|it|that|there|what|who|let|today|now|everyone|everybody)')[\\p{L}]+(?:'s|s')|his|her|their) (?:\\w+ ){0,2}(?:list|answers?|ranking|top|order|reply|message|text|post|profile|bio|version|turn|words)|(?:list|answer|ranking|message|text|reply) (?:of|from|by) (?!mine)(?:my|a|his|her|their|the)? ?\\w)[^.!?]*$|(?<![\\p{L}'])(?:my|his|her|our|a|the) (?:best |little |big |older |younger )?(?:friend|buddy|sister|brother|mother|mom|mum|dad|father|wife|husband|partner|girlfriend|boyfriend|son|daughter|colleague|boss|roommate|neighbou?r|teacher|kid|child|cousin|aunt|uncle|grandma|grandpa) ?: ?$",
  denials: "(?:can't say|forget|false|a lie|least)",
  takenBack: "(?:just kidding|jk|jokes?|kidding|not!|nope|scratch that|lol jk)",
  saidAfter: "(?:said|says|wrote)",
};
