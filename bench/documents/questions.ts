/** A section of a page of documentation, by its heading. */
export type Section = { path: string; heading: string };

/** A question about the project's own documentation, and the section that answers it. */
export type Question = Section & { ask: string };

/** Written from the names of the pages alone, before a page or a heading was looked into; headings were looked up after. */
export const strangersQuestions: readonly Question[] = [
  {
    ask: "Can I prove to an auditor that nobody changed the record of who did what afterwards?",
    path: "docs/audit.md",
    heading: "The chain",
  },
  {
    ask: "A person asked the assistant to drop something it knows about them. How do I do that?",
    path: "docs/forgetting.md",
    heading: "Asking for it in talk",
  },
  {
    ask: "My secret key leaked. How do I replace it without my app going down?",
    path: "docs/keys.md",
    heading: "What keys may do",
  },
  { ask: "How do I connect Claude Desktop to what is remembered about my users?", path: "docs/mcp.md", heading: "Connecting" },
  { ask: "Can I keep my existing OpenAI code and only change the base URL?", path: "docs/proxy.md", heading: "The proxy" },
  { ask: "Two names turned out to be the same customer. Can I join them into one?", path: "docs/people.md", heading: "Merging" },
  {
    ask: "Where on Cloudflare does my data actually live, and what should I back up?",
    path: "docs/storage.md",
    heading: "Tables",
  },
  { ask: "Which failures should my client try again, and which will never succeed?", path: "docs/errors.md", heading: "Errors" },
  {
    ask: "How can code in the browser call the service without seeing my secret key?",
    path: "docs/tokens.md",
    heading: "In a page",
  },
  { ask: "What must I have done before I put this in front of real people?", path: "docs/production.md", heading: "Production" },
];

/** Written from the headings alone, before the text under them was looked into. */
export const headingQuestions: readonly Question[] = [
  { ask: "How does a search decide what comes first?", path: "docs/search.md", heading: "How it works" },
  {
    ask: "If a request times out, can I send it again without it being stored twice?",
    path: "docs/requests.md",
    heading: "Idempotency",
  },
  {
    ask: "How many calls may I make, and how do I notice that I made too many?",
    path: "docs/requests.md",
    heading: "Rate limits",
  },
  { ask: "After how many days are old conversations removed?", path: "docs/lifecycle.md", heading: "What is kept how long" },
  { ask: "A user wants to disconnect an app that they let in earlier.", path: "docs/oauth.md", heading: "Ending access" },
  {
    ask: "We already issue our own JWTs with Auth0. Can those be accepted?",
    path: "docs/tokens.md",
    heading: "Your own identity provider",
  },
  { ask: "Can a human approve what gets remembered before it is used?", path: "docs/memories.md", heading: "Review" },
  { ask: "How does it keep a shopping list that people add to and take from?", path: "docs/facts.md", heading: "Lists" },
  {
    ask: "Can I tell the model what it should and should not learn from a chat?",
    path: "docs/extraction.md",
    heading: "A tenant's own instructions",
  },
  { ask: "What would all this cost us in dollars?", path: "docs/benchmarks.md", heading: "Prices" },
];
