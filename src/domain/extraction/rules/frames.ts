import { anyCase } from "#core/text/any-case";

/** A polite beginning that makes a request and not a question. */
export const REQUEST =
  /^(?:please |pls )?(?:can|could|would|will) you (?:please |pls |also |just )?(?=(?:remind (?:me|us) (?:to|about|that)|remember (?:that|my|i|our)|note that|keep in mind|call me)\b)/iu;

const FICTION =
  "(?:story|stories|poem|song|lyrics|novel|diary|dialogue|monologue|scene|script|screenplay|fan ?fic\\w*|role-?play|sonnet|haiku|limerick|rap|tale|fable|quiz|sentences?|tongue twister|joke)";
const TEXT =
  "(?:text|e-?mail|essay|draft|story|poem|letter|lyrics|transcript|message|paragraph|article|bio|dialogue|conversation|log|reviews?|sentences?|chat|passage|excerpt|quote|note i (?:got|received))";
const POLITE =
  "(?:please |pls |now |ok |okay |hey |so |and |then )*(?:(?:can|could|would|will) you (?:please )?|i(?:'d like| want| need) you to |help me (?:to )?|let's |let us )?(?:please )?";
const REWORKS =
  "(?:translate|rewrite|re-write|reword|rephrase|paraphrase|proof-?read|summari[sz]e|correct|polish|shorten|spell-?check|classify|reply to|respond to|complete the|fill in|continue (?:the|this|my))";
const SUPPOSES =
  "(?:imagine|suppose|supposing|assume|assuming|pretend|hypothetically|picture this|role-?play|act (?:as|like)|play (?:a|the) (?:role|part|game|character)|say (?=(?:i|i'm|my|we) )|let's (?:say|pretend|play|imagine))";

/** Words that announce a role-play or a story before a colon or comma. */
const PLAYS =
  "(?:(?:for|in|as part of) (?:the|this|our|my|a|an) (?:[a-z-]+ ){0,2}(?:role-?play|rp|rpg|larp|story|novel|scene|script|screenplay|skit|campaign|fan ?fic|character|persona)\\b[^.?!:,]{0,40}[:,]|(?:rp|role-?play|in[ -]character|ic|character (?:sheet|bio|description|profile)|my (?:character|persona)|backstory)\\b ?:|(?:fürs?|im|in diesem) (?:das )?rollenspiel|(?:para|en) el juego de rol|(?:pour|dans) le jeu de rôle|(?:im|in diesem) roman\\b|en (?:la|esta) novela\\b|dans (?:le|ce) roman\\b|角色扮演|剧情)";

/** Words after which the rest of the message is material for a request (a text to translate) or fiction. */
const STOPS = new RegExp(
  anyCase(
    `^${POLITE}(?:${REWORKS}|${SUPPOSES})\\b` +
      "|^let'?s (?:say|pretend|play|imagine|role-?play)\\b" +
      `|^${PLAYS}` +
      "|^(?:so |from now on,? )?you(?:'re| are) (?:now )?an? (?!(?:life ?saver|genius|star|legend|angel|machine|great|good|bit|hero)\\b)\\p{L}" +
      `|^${POLITE}(?:write|compose|draft|create|make|generate|give me|tell me|narrate|sing|invent)\\b[^.?!]{0,120}\\b${FICTION}\\b` +
      `|^${POLITE}(?:check|fix|edit|improve|analy[sz]e|explain|review|evaluate|rate|write|answer|describe|format|read|consider|look at|see|correct)\\b[^:]{0,200}:$` +
      `|^(?:here(?:'s| is| are)|this is|below is|see) (?:the|my|an?|some|his|her|their) (?:[\\p{L}-]+ ){0,2}${TEXT}\\b` +
      `|^(?:the )?(?:lyrics|transcript|excerpt|poem|story|quote|text|email|draft|essay|prompt|example)s?\\b[^:]{0,40}[:：]` +
      "|^(?:which|what) (?:one |sentence |version |of (?:these|the following) )?(?:is|are|sounds) (?:more )?(?:correct|right|better|grammatical|natural)\\b" +
      "|^dear (?:mr|mrs|ms|dr|sir|madam|hiring|team|all|prof|professor|colleagues|(?-i:\\p{Lu})\\p{L}+)\\b" +
      "|^(?:bitte )?(?:übersetze?|korrigiere?|formuliere?|umschreibe?|fasse?\\b.*zusammen|stell dir vor|stellen wir uns vor|angenommen|nehmen wir an|tu so|spiele?\\b|du bist (?:jetzt )?eine? )" +
      "|^(?:bitte )?(?:schreib|erzähl)e?\\b.*\\b(?:geschichte|gedicht|lied|märchen|dialog|szene)|^(?:sehr geehrte|liebe[rs]? (?:frau|herr|team))" +
      "|^(?:por favor,? )?(?:traduce|traducir|corrige|reescribe|reformula|resume|imagina|imagínate|supongamos|supón|suponiendo|finge|eres una? |actúa como)" +
      "|^(?:por favor,? )?(?:escribe|cuenta|inventa)\\b.*\\b(?:cuento|historia|poema|canción|diálogo|relato)|^estimad[oa]s? " +
      "|^(?:s'il te plaît,? )?(?:traduis|traduisez|corrige|réécris|reformule|résume|imagine|imaginons|supposons|admettons|fais comme si|tu es une? |joue le rôle)" +
      "|^(?:s'il te plaît,? )?(?:écris|raconte|invente)\\b.*\\b(?:histoire|poème|chanson|dialogue|conte)|^(?:cher|chère) (?:monsieur|madame)" +
      "|^(?:请|帮我)?(?:把.{0,40})?(?:翻译|改写|润色|总结|概括|修改)|^(?:请|帮我)?写一?(?:个|首|篇|段|封)|^(?:假设|想象|假装|扮演|你是一|请扮演)",
  ),
  "u",
);

/** A sentence of a story, a dream or a printed text. */
const ELSEWHERE =
  /\bin (?:the|my|a|this|that|our) (?:[\p{L}-]+ )?(?:story|novel|dreams?|role-?play|fanfic|screenplay|poem|fairy tale|campaign|scenario|simulation|example|exercise|hypothetical|book i'm writing|song)\b|\bmy (?:character|avatar|protagonist|d&d)\b|\b(?:in (?:der|meiner) geschichte|im (?:traum|roman)|en (?:el cuento|mi sueño|la novela)|dans (?:l'histoire|mon rêve|le roman))\b|在(?:故事|梦|小说)里|,? (?:says|reads|claims|goes) (?:the|a|an|this|that) (?:[a-z-]+ )?(?:headline|article|title|caption|sign|label|book|post|tweet|meme|ad|advert|poster|sticker|t?-?shirt|mug|cup|magnet|slogan|motto|note|letter|song|lyric|blog|paper|study|survey|review|quote|card|banner|billboard)\W*$/iu;

/** Reported or supposed words: the clauses that follow are reported or supposed too, until a "but". */
const CLOSES =
  /(?:^|[^\p{L}])(?:if|suppose|imagine|unless|whether|wish|wishes|says?|said|tells?|told|telling|thinks?|thought|believes?|believed|claims?|claimed|writes?|wrote|written|asks?|asked|repl(?:y|ies|ied)|answered|according|shouted|whispered|knows|knew|was like|were like|goes|quotes?|quoted|pretend|assume|assuming|supposing|hypothetically|maybe|perhaps|possibly|probably|guess|suspect|doubt|sure if|would|might|in case|as if|had i|were i|dreamt|dreamed|joked|sentence|phrase|word|meaning|example|called out|yelled|insists?|insisted|suggests?|suggested|wenn|falls|ob|sagte?|sagst|meinte?|denkt|dachte|glaubt|behauptet|schreibt|schrieb|vielleicht|eventuell|angenommen|würde|hätte|si|dice|dijo|dicen|cree|piensa|quizás?|tal vez|ojalá|imagina|supon\p{L}*|s'il|dit|disent|pense|croit|peut-être|suppos\p{L}*|imagin\p{L}*)(?=$|[^\p{L}])|(?:^|[^不])(?:如果|假如|要是|[他她们人友]说|你说|认为|问|也许|可能|假设|想象|听说)/iu;

const ASKS =
  /^(?:do(?! not\b)|does|did|is|are|am|was|were|have|has|had|what|what's|whats|where|where's|who|who's|whom|whose|why|how|how's|which|should|would|could|can|will|shall|may|isn't|aren't|don't (?:i|you|we)\b|doesn't|didn't|won't|wouldn't|couldn't|haven't|hasn't|when (?:do|did|does|is|are|was|were|will|should|can)|any idea|was|wo|wer|wie|warum|wann|woher|wohin|wieso|welche[rsmn]?|(?:mag|bin|habe|soll|kann|wohne|heiße|trinke|esse|liebe|hasse|prefiere) ich|kannst du|könntest du|weißt du|gibt es|qué|cuál|cuáles|dónde|quién|cómo|cuándo|por qué|puedes|sabes|est-ce|où|qui|que|quel|quels|quelle|quelles|comment|pourquoi|combien|peux-tu|sais-tu)(?=$|[^\p{L}])/iu;
const ASKS_CHINESE = /[吗呢吧]\p{P}*$|什么|哪|谁|怎么|为什么|是不是|有没有|多少/u;
const TAG =
  /,\s*(?:right|correct|no|yes|don't (?:i|we)|isn't it|aren't (?:i|we)|didn't i|haven't i|do i|am i|ok|okay|huh|eh|yeah|oder|nicht wahr|stimmt's|gell|¿?no|¿?verdad|¿?cierto|non|n'est-ce pas|pas vrai|hein)\s*\?+$|[，,](?:对吧|对吗|是吗|是吧)[？?]?$/iu;
const ATTRIBUTED = new RegExp(
  anyCase(
    String.raw`,\s*(?:(?:as )?(?:he|she|they|you|my \p{L}+|(?-i:\p{Lu})\p{L}+) (?:said|says|told|claims|claimed|wrote|joked|asked|replied|laughed|sings|sang|thinks|goes)|(?:sagte|sagt|meinte|schrieb) (?:er|sie|\p{Lu}\p{L}+)|(?:dijo|dice) \p{L}+|(?:dit|a dit|disait)[ -]\p{L}+)|\s[—–]\s*(?-i:\p{Lu})\p{L}+ (?-i:\p{Lu})\p{L}+$`,
  ),
  "u",
);
const JOKE =
  /(?<!not |no |n't |ain't )\b(?:just kidding|kidding|jk|j\/k|joking|just a joke|sarcasm|only a joke|april fools|scherz|nur spaß|war ein witz|es broma|es una broma|je plaisante|je rigole|blague)\b|\b(?:haha|lol|nah|no)\b,? not really|(?:^|\s)\/s$|开玩笑/iu;

/** Whether the message stops to be the speaker's own statement at this sentence. */
export function stopsHere(sentence: string): boolean {
  return STOPS.test(sentence);
}

export function isElsewhere(sentence: string): boolean {
  return ELSEWHERE.test(sentence) || ATTRIBUTED.test(sentence);
}

/** Whether the sentence is a question. */
export function isAsking(sentence: string): boolean {
  return ASKS.test(sentence) || ASKS_CHINESE.test(sentence) || TAG.test(sentence);
}

export function isJoking(sentence: string): boolean {
  return JOKE.test(sentence);
}

export function closesScope(clause: string): boolean {
  return CLOSES.test(clause);
}

const SUPPOSED =
  /(?<![\p{L}'])(?:if|suppose|supposing|imagine|pretend|assume|assuming|let'?s say|say|hypothetically|would|wish|unless|whether|wenn|falls|angenommen|stell dir vor|nehmen wir an|ob|imagina|imaginemos|supongamos|supon|suponiendo|ojala|imagine[rz]?|imaginons|supposons|suppose[rz]?|admettons)(?![\p{L}'])|(?<![\p{L}'])si(?![\p{L}',])|如果|假如|假设|假設|要是|假装|想象|若/iu;
const REPORTED =
  /(?<![\p{L}'])(?:said|says|saying|tells|told|asked|wrote|writes|claims?|claimed|thinks|believes|replied|answered|reads|according to|quote|lines?|caption|lyrics?|character|protagonist|(?:you|they|people|he|she|we) (?:think|say|know|guess|believe)|sagte|sagt|sagen|meinte|meint|behauptet|schrieb|glaubt|laut|dijo|dice|dicen|escribio|cree|segun|a dit|dit que|dit|ecrit|pense que|selon|d'apres)(?![\p{L}'])|说|說|写道|认为|据/iu;
const PAST =
  /(?<![\p{L}'])(?:used to|back then|as a (?:kid|child|teen\w*)|when i was|growing up|in my childhood|previously|formerly|fruher|damals|als kind|antes|de nino|de nina|cuando era|de pequen[oa]|avant|autrefois|quand j'etais|petit[e]?|enfant)(?![\p{L}'])|以前|小时候|曾经|过去/iu;
const REOPENS = /^(?:but|yet|anyway|anyways|aber|jedenfalls|pero|mais|en todo caso)(?!\p{L})|^(?:但是|但|不过|反正)/iu;

export function isSupposed(clause: string): boolean {
  return SUPPOSED.test(clause);
}

export function isReported(clause: string): boolean {
  return REPORTED.test(clause);
}

export function isPast(clause: string): boolean {
  return PAST.test(clause);
}

/** Whether what the clause before it supposes or reports ends here. */
export function reopens(clause: string): boolean {
  return REOPENS.test(clause);
}
