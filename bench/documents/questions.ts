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
