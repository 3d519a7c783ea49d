import type { ListTalk } from "#core/language/list-talk";

export const ENGLISH_LIST_TALK: ListTalk = {
  empty:
    "meant|supposed|allowed|a|an|the|this|that|these|those|them|thats|that's|i|im|i'm|ive|i've|i'd|i'll|me|my|mine|myself|we|we're|we've|us|our|ours|you|u|your|he|he's|hes|him|his|she|she's|shes|her|hers|it|it's|its|they|they're|their|theirs|there|here|am|is|are|was|were|be|been|being|do|does|did|doing|have|has|had|having|got|gotten|will|would|shall|should|can|could|may|might|must|to|of|in|on|at|by|for|with|from|into|onto|out|up|down|off|over|under|around|about|as|and|or|but|so|then|than|too|also|just|only|even|very|really|already|now|right|currently|again|please|pls|plz|ok|okay|oh|ah|omg|lol|haha|hey|hi|hello|hiya|yeah|yes|no|well|um|actually|btw|tbh|thanks|cheers|some|any|all|both|each|every|else|another|other|others|more|most|much|many|so far|rn|atm|these days|at the moment|as it stands|going to|gonna|gotta|supposed to|if|when|hang on|different|em|what|whats|what's|which|who|whos|who's|whose|where|how|let|lets|let's|sure|still|yet|sort|kind|call|called|'s|s|t|m|re|ve|d|ll|not|n't|dont|don't|a few|couple|bit|lot|lots|set",
  me: "i|im|i'm|ive|i've|me|my|we|we're|we've|us|our",
  generic:
    "parts|best to worst|month order|date order|day order|jobs|job|chores|tasks|task|errands|people|person|anything|something|place|places|list|lists|item|items|thing|things|stuff|one|ones|bit|bits|entry|entries|point|points|order|number|running order|line up|lineup|log|sheet|plan|routine|ranking|rota|count",
  number: "\\d+|one|two|three|four|five|six|seven|eight|nine|ten|a few|couple|another",
  kinds:
    "list|lists|checklist|shopping|shop|groceries|grocery|packing|pack|goals|chores|jobs|tasks|to do|todo|to-do|errands|guests|guest|invites|invitees|names|shortlist|wishlist|agenda|menu|rota|playlist|setlist|ranking|ranked|rank|in order|order|top|backlog|steps|ingredients|parts|seating|presents|gifts|gift ideas|ideas|debts|owes?|owe|questions|ask|bag|reading|watchlist|films|movies|books|songs|bands|games|tracking|bring|bringing|bring-and-share|homework|medicines|meds|tablets|pills|allergens|allergies|projects|applications|places|things|stuff|options|plan|routine|keep track|keeping track|bucket list|revision|revise|favou?rites?|favs?|faves?|best|need|needs|remaining|left|exhibits|cupboard|log|running order|who's|whos|volunteers",
  listNamed:
    "(?:my|the|our|that) (?:[a-z'-]+ ){0,4}(?:list|lists|ranking|wishlist|shortlist|playlist|checklist)|list of|do i have an? (?:[a-z'-]+ ){0,5}list|did i (?:give|tell|put|say|list|write|note|jot)|was i going|i wanted|i was going|(?:list|ranking) did i|what(?:'?s| is) on (?:my|our)",
  needs:
    "need|needs|must get|have to get|got to get|gotta get|to get|buy|to buy|pick up|pack|to pack|bring|to bring|order|to order|get",
  themes: [
    "shop|shopping|shops|grocery|groceries|buy|buying|bought|get|getting|pick up|picking up|purchase|store|supermarket|market|merchants|tesco|aldi|lidl|asda|need|needed",
    "pack|packing|packed|suitcase|luggage|bag|bring|bringing|take|taking",
    "chore|chores|job|jobs|task|tasks|to do|todo|to-do|do|done|doing|errands|work through",
    "owe|owes|owed|owing|debt|debts|paid|pay|pays|money|square",
    "guest|guests|invite|invited|invites|invitees|come|coming|attending|party",
    "book|books|read|reading",
    "film|films|movie|movies|watch|watching|see",
    "gift|gifts|present|presents|giving|give|getting|buy",
    "goal|goals|resolution|resolutions|achieve|aim|aims",
    "question|questions|ask|asking",
    "medicine|medicines|meds|med|tablets|tablet|pills|pill|take|takes|taking|prescribed",
    "song|songs|track|tracks|tune|tunes|play|playlist|setlist",
    "game|games|play|backlog",
    "name|names|call|option|options",
    "revise|revising|revision|study|studying|subject|subjects|topic|topics",
  ],
  and: "and|&|n|plus",
  andThen: "and then|then|followed by",
  add: "add|adding|added|adds|stick|pop|chuck|bung|throw in|put|include|jot|i also need|also need|we need|i need|need|needs|also should|another one|one more|forgot|nearly forgot|dont forget|don't forget|and i should",
  addFirst: "and|oh and|also|plus|omg and|ooh and|&|\\+",
  addLast: "too|as well|aswell|also|on there|on the list|on it|to the list|to it|to that",
  filler: "btw|tbh|lol|lmao|haha|pls|plz|please|obvs|obviously|i think|i reckon|innit",
  remark:
    "theyre|they're|youre|cos|coz|cuz|because|bc|since|so|but|which|who|i|i'm|im|we|he|she|it|it's|its|they|apparently|btw|please|pls|lol|haha|though|tho|x3|nearly|according|while|if|when|what|thats|that's|my sister|my mum|instead|sorry|as well|aswell|too|also",
  lead: "to|on|her|a|an|the|some|get|got|of|we need|i need|i should|should|ask|him|her|about my|about|that|then|in|my|oh|ooh|omg|ok|and|also|says|bring|more|another one|do|have|you|it|me",
  remove:
    "remove|removed|delete|drop|dropped|scratch|scrap|strike|nix|ditch|ditched|bin|binned|lose|take off|takes off|taken off|off|out|gone|not any ?more|no longer|cancel|cancelled|canceled|cross out|crossed out|crossing out|forget|skip|cant come|can't come|cannot come|isn't coming|isnt coming|not coming|can't make it|cant make it|pulled out|dropped out|quit|is a no|are a no|no more|dont need|don't need|doesn't need|not needed|stopped|refused|away|ruled out|out of the running|changed my mind about|never mind|nevermind|taken|unavailable|sold out|said no|says no|has been let|been let|grew out of|grown out of|cant afford|can't afford|leave out|left out|not bothering|rid of|already has|already have|already got|is there at home|at home only|doesn't want|doesnt want",
  done: "done|finished|completed|complete|bought|gotten|paid|packed|sent|booked|called|rung|phoned|emailed|texted|written|watched|seen|sorted|tick|ticked|tick off|cross off|crossed off|check off|checked off|posted|returned|cleaned|washed|fixed|mended|collected|picked up|ordered|cooked|submitted|handed in|received|arrived|delivered|planted|painted|been to|in the bag|already|fitted|installed|sold|sent|topped up|dusted|settled|square|squared|repaid|paid back|transferred|venmoed|venmo'd|paypalled|answered|ok|tidied|hoovered|mowed|ironed|descaled|watered|practised|practiced|learnt|learned|platinumed",
  doneActive:
    "got|did|read|saw|made|played|beat|ran|fed|wrote|rang|knows|took|brought|met|ate|had|changed|built|filled|walked|tried|passed|climbed|visited",
  doneForm: "[a-z]{3,14}ed",
  not: "not|haven't|havent|hasn't|hasnt|didn't|didnt|never|isn't|isnt|wasn't|wasnt|no|won't|wont|aren't|arent|can't|cant",
  future: "nearly|almost|will|gonna|going to|tomorrow|want to|need to|have to|should|must|if",
  back: "back on|is back|undo|undone|un-?tick|untick|un-?cross|put back|still need|not done|wasn't done|redo",
  between: "between|in between|in with",
  swap: "swap|swaps|swapped|switch|switched|swop|swopped|trade|traded|exchange|the other way round|change places|swapping",
  replaceBy:
    "for|with|to|into|is now|are now|becomes|is gonna be|is going to be|will be|now|make it|call it|should be|was actually|gets",
  becomes: "make|is now|are now|is gonna be|is going to be|make it|call it|should be|becomes|now",
  change: "change|changes|changed|rename|renamed|replace|replaced|switch to|switched to|wants|wanted|not",
  insteadOf: "instead of|rather than|in place of|not",
  instead: "instead|in its stead|in its place|make it|makes it|make that",
  toTop:
    "to the top|at the top|to number one|to number 1|number one|number 1|straight to number one|to the front|to #1|to no 1|up top|on the front|at the front|first up|straight to number one|in first|at number one|at number 1|top spot|to the start",
  toEnd: "to the bottom|at the bottom|to the end|at the end",
  first: "first|top",
  last: "last|bottom",
  again: "second|another|extra|one more|2nd|more",
  before: "before|ahead of|in front of|above",
  after: "straight after|right after|after|behind|below|following",
  clear: "clear|wipe|scrap|delete|bin|empty|erase|cancel|forget|drop|start over|start again|reset|ditch|remove|trash|get rid of",
  all: "list|everything|the rest|all of it|it all|them all|the lot|whole thing|whole list|all|pool",
  may: "change|changed|move|moved|bring|brings|bringing|half|some|partly|most|except|apart from|only|maybe|might|swap|rank|between|order|re-?order|shuffle",
  howMany: "how many|count of|number of|what number of|total number",
  howMuch: "how much",
  what: "what|whats|what's|which|wat|wot",
  who: "who|whos|who's|whose|whom",
  asksElse:
    "how long|how far|how often|how to|how do|how does|how can|how hot|how big|how come|why|when|what time|what kind|what is a|what are some|what size|can you|could you|would you|will you|should i wear|explain|write|translate",
  request:
    "(?:can|could|will|would) (?:you|u|i|we) (?:please |pls |plz )?(?:keep|have|make|start|note|jot|save|remember|write|hold|get|add|put|store|track|log)",
  asks: "(?:and |so |ok |wait |hang on |hey )?(?:is|isn't|isnt|are|aren't|does|doesn't|am i|was|were|can|could|should|shall|will|would)(?= [a-z])|(?:and |so |ok |wait |hang on |hey )?(?:do|did|didn't|have|haven't|has) (?:i|we|you|u|he|she|they|it|anyone|there)|how|why|when|(?:and |so )(?:what|who|which)(?:'?s)?|read me|show me|tell me|remind me|list (?:my|the|them|'?em)|give me",
  polar: "is|isn't|isnt|are|aren't|do|does|did|didn't|have|has|haven't|hasn't|am|was|were|should|can|will|still",
  polarAnywhere: "yes or no|still on (?:it|there|the list)|y/n",
  polarDone: "did|have i|have we|has|have they|did we|have",
  listing:
    "make it|made it|say|said|put|add|added|write|wrote|keep|kept|got|include|list|listed|mention|mentioned|tell|ask you|still|want|need",
  show: "read|show|list|give|tell|remind|repeat|say|recap|print|display|full|current|whole|ranking|order",
  left: "left|still|remaining|remain|outstanding|still open|are open|is open|open this|to go|yet|pending|not done|undone|unfinished|missing|to be done|isnt|isn't|hasnt|hasn't|havent|haven't|not",
  isDone: "done|finished|completed|complete|bought|ticked off|crossed off|already|sorted|packed|paid|achieved",
  onList:
    "on (?:there|it|here|the list|my list|that list|the|my)|listed|down|in (?:it|there)|part of|included|in the running|an option|an idea|in play|still",
  next: "next|open with|opens with|begin with|begins with|start with|starts with",
  verbs:
    "comes|making|makes|covers|covering|selling|track|tracking|get|getting|got|buy|buying|bought|need|needed|needs|pack|packing|bring|bringing|brought|take|taking|taken|do|doing|done|pick up|picking up|pay|paid|paying|owe|owes|owed|have|having|has|keep|kept|want|wanted|put|add|added|say|said|write|wrote|written|note|noted|jot|jotted|tell|told|give|giving|gave|go|going|gone|come|coming|make|see|watch|watched|read|reading|ask|asking|tick|ticked|cross|crossed|finish|finished|complete|completed|get done|remember|remind|start|use|play|invite|invited|order|ordered|mention|mentioned|sort|sorted|call|planning|plan|check",
  are: "are|is|r|be|are as follows|is as follows|are the following",
  ranked:
    "in order|ordered|order|rank|ranks|ranked|ranking|top|fav|favs|fave|faves|favorite|favorites|favourite|favourites|best|first|then|routine|steps|agenda|setlist",
  rather: "but|it was|its|it's",
  none: "no|no more|not any",
  lastRank:
    "finish on|finish with|end with|ends with|close with|close on|last(?! (?:year|week|month|time|night|summer|winter|spring))|bottom",
  topRank:
    "(?:top of (?:the|my|our)(?! range| world| morning)|(?:top|favou?rite|fave?)(?! (?:\\d|two|three|four|five|six|ten|of|one|list|ranking))(?! (?:[a-z]+ )?[a-z]+s(?: list| ranking| in order)?$))",
  numbered: "number|no\\.?|#",
  rankVerb: "is|that|one|goes to|has to be",
  isAt: "is|to|becomes|should be|is now|goes to|=",
  spokenComma: "comma",
  spokenStop: "full stop|period|new paragraph|new line",
};
