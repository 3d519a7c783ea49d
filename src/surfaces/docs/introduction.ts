/** A part of the introduction: a paragraph, in which `code` is between backticks, or commands for a shell. */
export type Part = { heading: string; text: string } | { shell: string };

/** The first sentence about the service. */
export const SUMMARY = "Send Edgewise conversations; before each reply it returns what the model should know.";

/** What a newcomer needs for a first call to the service at this origin. Tests run its commands as they are written. */
export function introduction(origin: string): Part[] {
  return [
    {
      heading: "A key",
      text:
        "Each request carries `Authorization: Bearer ew_…`. `npm run dev` prints a development key; `npm run key:production` makes the first " +
        "key of a deployment, and `POST /v1/keys` makes more. To try operations on this page, paste a key under Authentication: it is kept in this " +
        "tab only, until the page is reloaded.",
    },
    {
      heading: "The first calls",
      text: "Store what was said, and then ask for what the model should know. Put `block` of the answer before the conversation.",
    },
    {
      shell: [
        `curl -X POST ${origin}/v1/sessions/chat-1/episodes \\`,
        `  -H "authorization: Bearer $EDGEWISE_KEY" \\`,
        `  -H "content-type: application/json" \\`,
        `  -d '{"userId":"alice","messages":[`,
        `    {"role":"user","content":"I adopted a cat called Miso."}]}'`,
        "",
        `curl -X POST ${origin}/v1/context \\`,
        `  -H "authorization: Bearer $EDGEWISE_KEY" \\`,
        `  -H "content-type: application/json" \\`,
        `  -d '{"userId":"alice","query":"What is my cat called?"}'`,
      ].join("\n"),
    },
    {
      heading: "Names",
      text:
        "The names of users, sessions and projects are your app's own. A server key names `userId` in every request about a user; a personal key " +
        "is made for one user and names nobody. A page holds a user token, which a server makes for its user (`POST /v1/tokens`), and which " +
        "names nobody either. A key without the permission `read` gets no stored content back: a receipt instead of the " +
        "answer that is described here.",
    },
    {
      heading: "Repeats and replicas",
      text:
        "Every POST that changes something takes an `Idempotency-Key`, so that sending it again is safe. Every request takes " +
        "`x-edgewise-bookmark`, the header of an earlier answer, and then sees at least what that answer saw.",
    },
  ];
}

/** The introduction as Markdown, for the description in the OpenAPI document. */
export function introductionMarkdown(origin: string): string {
  const parts = introduction(origin).map((part) =>
    "shell" in part ? `\`\`\`sh\n${part.shell}\n\`\`\`` : `**${part.heading}.** ${part.text}`,
  );
  return [SUMMARY, ...parts, `The [guides](${origin}/docs/guides) explain each subject with examples.`].join("\n\n");
}
