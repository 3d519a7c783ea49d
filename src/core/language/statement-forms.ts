/** What has one value at a time: a later statement replaces an earlier one. */
export type StatementKey = "name" | "home" | "occupation" | "work" | "origin" | "age" | "birthday" | "diet" | "favorite";

/** A form of a statement about its speaker. Sources of patterns as `starts` makes them. */
export type StatementForm = {
  key: StatementKey;
  /** At the beginning of a clause. Groups: `noun` for the kind of a favourite, `calling` for words that must name an occupation. */
  pattern: string;
  /** What must not follow the pattern in its sentence. */
  refuse?: string;
  /** Less certain than a form that says little else. */
  isUsual?: true;
  /** The subject that was left out, which only the first clause of a sentence may leave out. */
  implied?: "I " | "I'm ";
  /** Only in a message that begins with a greeting, or only after "remember that". */
  only?: "greeted" | "remembered";
};

/** Sources of patterns at the beginning of a clause. Groups: `names`, and `role` for the relationship. */
export type RelationshipForms = {
  /** `isHolder`: it says little else than who has the role. */
  forms: readonly { pattern: string; relationship?: string; isHolder?: true }[];
  /** Roles that one person at a time has, in small letters, separated by spaces; a slash between two words for one. */
  ofOne?: string;
  /** Within a clause; `beside` for a name between commas. */
  inPassing?: string;
  /** Before a role: whose it is, with the space between them. */
  own: string;
  /** The whole of a role: a person, and a pet. */
  people: string;
  pets: string;
  /** Between names. */
  and?: string;
  /** Roles in the plural, each with its singular. */
  singular?: Readonly<Record<string, string>>;
};

/** The forms of a language by which rules take what is sure. */
export type Forms = {
  statements: readonly StatementForm[];
  /** "Remember that", and what must not follow it. */
  remember: string;
  notRemembered?: string;
  /** Of these, those that are often about the current task; then the statement must have a word of the speaker, unless the request has another. */
  lightly?: { asked: string; unless: string; own: string };
  reminders: readonly { pattern: string; refuse?: string }[];
  relationships?: RelationshipForms;
  /** At the beginning of a statement about a group that the speaker is in. */
  group: string;
  /** Of a statement after "remember that": an instruction to the assistant, in what it says to others. */
  orders?: readonly string[];
  /** Words by which an occupation is known, separated by spaces, and after which another person's may follow. */
  occupations?: string;
  notBeforeOccupation?: string;
  /** The singular of the noun of a favourite, so that "colors" and "color" are one key. */
  singular?: (noun: string) => string;
  greeting?: string;
  /** The subject that a clause after "and" shares with the clause before it. */
  pronoun?: string;
};
