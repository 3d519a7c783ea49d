export type Clause = {
  start: number;
  end: number;
  /** The subject that it shares with the clause before it ("I live in Rome and work as a cook"). */
  subject: "" | "I " | "we ";
  /** Begins after "but" or a semicolon, which ends reported and supposed clauses. */
  reopens: boolean;
};

/** How much of a clause is read, in UTF-16 units: no form needs more. */
export const CLAUSE_UNITS = 700;

const CONNECTIVES =
  "and|but|so|because|since|though|although|while|whereas|or|plus|yet|cause|cuz|und|aber|weil|denn|sondern|doch|y|pero|porque|sino|aunque|et|mais|car|parce que|donc";
/** Where clauses meet, in text whose white space is collapsed. */
const JOINT = new RegExp(
  `\\s?[;；]\\s?|\\s[-–—]{1,40}\\s|—|\\s?：|:\\s|\\s?[()（）]\\s?|[,，、]\\s?¿?(?:(?:${CONNECTIVES})\\s|但是|但|而且|不过|所以|因为|并且|也)?|\\s(?:${CONNECTIVES})\\s`,
  "giu",
);
const ALWAYS = /[;；:：()（），]/u;
const REOPENS = /[;；]|\b(?:but|yet|aber|sondern|pero|sino|mais)\b|但|不过/iu;
const JOINS = /\b(?:and|but|or|so|yet)\b/iu;
/** "I …" and words to the assistant begin a clause after any joint. */
const SPEAKER =
  /^(?:i|i'\p{L}+|im|ive|we|we'\p{L}+|please|pls|plz|thanks|thank you|nice to meet|can you|could you|would you|will you|can i|should i|what|what's|how|how's|where|which|who|why|any|is there|are there|is it|do you|are you|does|suggest|recommend|tell me|give me|help me|show me|let me know|haha|lol|just kidding|jk|kidding|also|ich|wir|kannst du|könntest du|was|wie|wo|yo|puedes|qué|podrías|je|j'\p{L}+|peux-tu|pourrais-tu)(?=$|[^\p{L}])/iu;
/** After "so" without a comma, a clause and no adjective ("it looks so green"). */
const CONCLUSION =
  /^(?:(?:[\p{L}']+ ){1,3}(?:is|are|isn't|aren't|will|can|can't|must|should)|keep|don't|use|give|make|tell|skip|avoid|no)(?=$|[^\p{L}])/iu;
/** Words after a "so" that is no conclusion. */
const DEGREE = /^(?:much|many|far|long|that|badly|hard|on|as|very|good|bad|well|often)\b/iu;
/** Other subjects begin a clause only after a conjunction. */
const OTHERS =
  /^(?:he|she|they|you|it|it's|this|that|that's|there|my \p{L}+(?: \p{L}+){0,2} (?:is|are|was|has|lives|works|loves|likes|hates|wants|gets|says)|then|now|er|sie|él|ella|il|elle)(?=$|[^\p{L}])/iu;
const ELIDED =
  /^(?:also |still |now |currently |really |absolutely )?(?:work|live|moved|love|hate|prefer|enjoy|like|can't stand|usually|always|never|tend to|need to|have to|don't eat|don't drink|am|'m|speak|study|went with|chose|decided|have an?)\b/iu;

/**
 * The clauses of a sentence. Where `isForm` says that a known form begins, even a comma separates clauses, and a verb may share the subject
 * of the clause before. Joints before `from` belong to the first clause.
 */
export function clausesOf(sentence: string, from: number, isForm: (clause: string) => boolean): Clause[] {
  const clauses: Clause[] = [{ start: 0, end: sentence.length, subject: "", reopens: false }];
  for (const match of sentence.matchAll(JOINT)) {
    const current = clauses.at(-1);
    const start = match.index + match[0].length;
    if (current === undefined || start <= from || match.index < current.start) continue;
    if (match.index === current.start) {
      current.start = start;
      continue;
    }
    const rest = sentence.slice(start, start + CLAUSE_UNITS);
    const subject = elidedSubject(match[0], rest, sentence.slice(current.start, current.start + 40), current.subject, isForm);
    if (subject === "" && !parts(match[0], rest, isForm)) continue;
    current.end = match.index;
    clauses.push({ start, end: sentence.length, subject, reopens: REOPENS.test(match[0]) });
  }
  return clauses;
}

function parts(joint: string, rest: string, isForm: (clause: string) => boolean): boolean {
  if (
    ALWAYS.test(joint) ||
    SPEAKER.test(rest) ||
    (/\bso\b/iu.test(joint) && !DEGREE.test(rest) && (joint.startsWith(",") || CONCLUSION.test(rest)))
  )
    return true;
  return (JOINS.test(joint) && OTHERS.test(rest)) || isForm(rest);
}

function elidedSubject(
  joint: string,
  rest: string,
  current: string,
  shared: Clause["subject"],
  isForm: (clause: string) => boolean,
): Clause["subject"] {
  if (!JOINS.test(joint) || !ELIDED.test(rest)) return "";
  const own = /^(?:\p{L}+, )?(i|im|we)(?=['\s])/iu.exec(current)?.[1]?.toLowerCase();
  const subject = own === undefined ? shared : own === "we" ? "we " : "I ";
  return subject !== "" && isForm(`${subject}${rest}`) ? subject : "";
}
