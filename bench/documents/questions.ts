/** A question about the project's own documentation, and the section that answers it: the page and its heading. */
export type Question = { ask: string; path: string; heading: string };

/** Written from the names of the pages alone, before a page or a heading was looked into; headings were looked up after. */
export const strangersQuestions = [
  "Can I prove to an auditor that nobody changed the record of who did what afterwards?",
  "A person asked the assistant to drop something it knows about them. How do I do that?",
  "My secret key leaked. How do I replace it without my app going down?",
  "How do I connect Claude Desktop to what is remembered about my users?",
  "Can I keep my existing OpenAI code and only change the base URL?",
  "Two names turned out to be the same customer. Can I join them into one?",
  "Where on Cloudflare does my data actually live, and what should I back up?",
  "Which failures should my client try again, and which will never succeed?",
  "How can code in the browser call the service without seeing my secret key?",
  "What must I have done before I put this in front of real people?",
];

/** Written from the headings alone, before the text under them was looked into. */
export const headingQuestions = [
  "How does a search decide what comes first?",
  "If a request times out, can I send it again without it being stored twice?",
  "How many calls may I make, and how do I notice that I made too many?",
  "After how many days are old conversations removed?",
  "A user wants to disconnect an app that they let in earlier.",
  "We already issue our own JWTs with Auth0. Can those be accepted?",
  "Can a human approve what gets remembered before it is used?",
  "How does it keep a shopping list that people add to and take from?",
  "Can I tell the model what it should and should not learn from a chat?",
  "What would all this cost us in dollars?",
];
