/** Words between the subject and its verb that change nothing. */
export const ADV =
  "(?:(?:really|absolutely|much|very much|just|also|still|generally|personally|definitely|actually|truly|totally|simply|especially|do|usually|honestly|strongly|particularly|quite|so|always|mostly|now|currently|finally|obviously|genuinely|both|all|deeply|thoroughly|secretly|slightly) )*";
export const I = "(?:i|we) ";
export const IM = "(?:i'm|im|i am|we're|we are) ";
/** Things that only this conversation knows. */
export const POINTING =
  "(?:it(?! when\\b| if\\b)|i|i'm|we|(?:[\\p{L}]+ing |to [\\p{L}]+ )?(?:that|this|these|those|them|him|her|his|their|it(?! when\\b| if\\b))|me|you|both|either|neither|none|everything|what|where|how|why|one|the way|the (?:sound|look) of|all of|any of|whichever|whatever|whoever)\\b";
export const OFFERED =
  "(?:the |all the )(?:[\\p{L}-]+ ){0,2}(?:(?:options?|versions?|variants?|choices?|answers?|repl(?:y|ies)|responses?|suggestions?|drafts?|approach(?:es)?|ideas?|explanations?|error messages?|thoughts?|wording|phrasing|recommendations?|summary|snippet)\\b|(?:first|second|third|fourth|last|latter|former|previous|other|above|below|same)(?: one)?(?:\\W*$| (?:for|please|of|you|from)\\b)|(?:[\\p{L}-]+ ){1,2}one(?:\\W*$| (?:for|please|you|from|with|that|where)\\b))";
export const CHOICE = `(?:${POINTING}|${OFFERED}|option|version|variant|number \\d|#?\\d+\\s*$|[a-d]\\s*$|=)`;
export const IDIOM =
  "to (?:say|ask|admit|break|bother|see (?:it|that|this)|think|hear (?:it|that|this)|be (?:that|the|rude|a bother)|tell|complain|interrupt|disappoint|know|point|nitpick|burst)\\b";
export const YOUR = `.*\\bwhen you (?:do|say) (?:that|this|it)\\b|.*\\b(?:your|yours|yourself)\\b|(?!.*\\bwhen you\\b).*\\byou\\b`;
