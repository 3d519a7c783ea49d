import type { Section } from "./questions.ts";

/** Sections that answer a question; any of them will do. */
export type PackageQuestion = { ask: string; sections: readonly Section[] };

type Pages = Readonly<Record<string, readonly (readonly [ask: string, ...headings: string[]])[]>>;

const SDK: Pages = {
  "ai/docs/03-ai-sdk-core/05-generating-text.mdx": [
    ["How do I make the words appear at an even pace rather than in jerky bursts?", "Smoothing streams"],
    ["Is there a hook that fires for every piece as it arrives?", "onChunk callback"],
  ],
  "ai/docs/03-ai-sdk-core/10-generating-structured-data.mdx": [
    ["I only want one of a few fixed labels back", "Output.choice()"],
    ["How do I get a list of things that all look the same instead of a single one?", "Output.array()"],
  ],
  "ai/docs/03-ai-sdk-core/15-tools-and-tool-calling.mdx": [
    ["Ask a person for permission only if the amount of money is large", "Dynamic Approval"],
    ["The model invoked a function with broken arguments, can that be fixed automatically?", "Tool Call Repair"],
    ["Offer just a few of the functions to the model in some rounds", "Active Tools"],
  ],
  "ai/docs/03-ai-sdk-core/16-mcp-tools.mdx": [
    ["Talk to a server that is started as a subprocess on my own machine", "Stdio Transport (Local Servers)"],
    [
      "A server needs to ask the end user for more details in the middle of a call",
      "Handling Elicitation Requests",
      "Enabling Elicitation Support",
      "Registering an Elicitation Handler",
    ],
  ],
  "ai/docs/03-ai-sdk-core/25-settings.mdx": [
    ["Can I get the identical result every time I run it?", "seed"],
    ["How do I keep replies short so that they cost less?", "maxOutputTokens"],
  ],
  "ai/docs/03-ai-sdk-core/30-embeddings.mdx": [
    ["How alike are two pieces of writing?", "Embedding Similarity"],
    ["Send several batches to the vector endpoint at once", "Parallel Requests"],
  ],
  "ai/docs/03-ai-sdk-core/31-reranking.mdx": [["Give me only the five best matching documents", "Top-N Results"]],
  "ai/docs/03-ai-sdk-core/36-transcription.mdx": [["A big audio recording behind a link is refused", "Download Size Limits"]],
  "ai/docs/03-ai-sdk-core/38-video-generation.mdx": [
    ["Turn a still picture into a moving clip", "Image-to-Video Generation"],
    ["Rendering a clip takes many minutes and then it gives up waiting", "Polling Timeout"],
  ],
  "ai/docs/03-ai-sdk-core/40-middleware.mdx": [["Block answers that contain private information", "Guardrails"]],
  "ai/docs/03-ai-sdk-core/45-provider-management.mdx": [["Refer to models by nicknames of my own", "Custom Providers"]],
  "ai/docs/03-ai-sdk-core/55-testing.mdx": [
    ["How do I write unit tests without paying for a real model?", "Testing", "generateText", "streamText"],
  ],
  "ai/docs/03-ai-sdk-core/60-telemetry.mdx": [
    ["Which attributes are recorded in a trace about one function invocation?", "Tool call spans"],
  ],
  "ai/docs/03-ai-sdk-core/65-devtools.mdx": [
    ["Is it safe to leave the local inspection page on in production?", "Security considerations"],
  ],
  "ai/docs/03-agents/03-workflows.mdx": [
    ["Classify the input first and then choose who handles it", "Routing"],
    ["One model writes, a second one grades the draft and asks for improvements", "Evaluator-Optimizer"],
  ],
  "ai/docs/03-agents/04-loop-control.mdx": [["Stop after ten rounds at the latest", "Run Up to a Maximum Number of Steps"]],
  "ai/docs/03-agents/06-subagents.mdx": [
    ["Helper agents cannot ask the user for permission", "No Tool Approvals in Subagents"],
    ["Does a delegated helper know what was said in the conversation before?", "Subagent Context is Isolated"],
  ],
  "ai/docs/04-ai-sdk-ui/02-chatbot.mdx": [
    ["Let people upload pictures along with what they write", "Attachments", "FileList", "File Objects"],
    ["The page is redrawn too often while the answer comes in", "Throttling UI Updates"],
  ],
  "ai/docs/04-ai-sdk-ui/03-chatbot-message-persistence.mdx": [
    ["The reply should be saved even if somebody closes the browser tab", "Handling client disconnects"],
    ["I do not want to post the entire history on each turn", "Sending only the last message"],
  ],
  "ai/docs/04-ai-sdk-ui/20-streaming-data.mdx": [
    ["Send progress notices that are not kept in the history", "Transient Data Parts (Ephemeral)"],
  ],
  "ai/docs/04-ai-sdk-ui/21-error-handling.mdx": [
    ["Silence the notices about unsupported features in the console", "Turning Off Warnings", "Turn Off All Warnings"],
  ],
  "ai/docs/04-ai-sdk-ui/21-transport.mdx": [["Use websockets between page and backend", "Building Custom Transports"]],
  "ai/docs/06-advanced/03-backpressure.mdx": [["The reader is slower than the producer and memory fills up", "Back-pressure"]],
  "ai/docs/06-advanced/06-rate-limiting.mdx": [
    ["Keep one visitor from using up my budget with endless calls", "Rate Limiting with Vercel KV and Upstash Ratelimit"],
  ],
  "ai/docs/06-advanced/10-vercel-deployment-guide.mdx": [["My host kills long requests", "Function Duration"]],
};

const OAUTH_GUIDES = "@cloudflare/workers-oauth-provider/docs";

const READMES: Pages = {
  [`${OAUTH_GUIDES}/advanced-configuration.md`]: [
    ["Delete old entries of the store on a schedule", "KV cleanup"],
    ["Users who come back often should never have to log in again", "Sliding expiry"],
    ["Decide which applications may sign up by themselves", "Client registration policy"],
  ],
  [`${OAUTH_GUIDES}/consent-page.md`]: [
    ["How do I prevent script injection through an application's name?", "Escape everything that came from the client"],
    ["Do not ask again for an approval that somebody already gave", "Remembering consent"],
  ],
  [`${OAUTH_GUIDES}/resource-servers.md`]: [
    ["My API and the login run in two deployments", "Separate Workers"],
    ["Accept bearer strings that a foreign company issued", "Another issuer, at your own risk", "Alongside your own tokens"],
  ],
  [`${OAUTH_GUIDES}/upstream-sign-in.md`]: [
    ["A user disconnected our app on GitHub's side, what happens now?", "When the third party revokes access"],
  ],
  [`${OAUTH_GUIDES}/migration-1.x.md`]: [
    ["May the callback address be plain and unencrypted?", "Redirect URIs must be HTTPS or loopback HTTP (1.2)"],
    ["My account names have a colon and are refused now", "User IDs cannot contain : (1.2)"],
  ],
  "mammoth/README.md": [
    ["Save pictures as separate files rather than inline", "Custom image handlers", "Images", "Image converters"],
    ["Is it dangerous to convert Word files of strangers?", "Security"],
    ["Leave certain content out of the result", "Ignoring document elements"],
    ["Show what reviewers remarked in the margin", "Comments"],
  ],
  "fflate/README.md": [
    ["Does it run in old versions of Internet Explorer and Safari?", "Browser support"],
    ["Why not use what browsers ship themselves for gzip?", "What about CompressionStream?"],
  ],
  "openai/README.md": [
    [
      "Make sure that an incoming notification was really sent by them",
      "Webhook Verification",
      "Verifying webhook payloads directly",
    ],
    ["Walk through everything in a long listing", "Auto-pagination"],
    ["What do I quote to support when a call went wrong?", "Request IDs"],
    ["Route traffic through our corporate gateway", "Configuring proxies"],
    ["How often is a failed call tried again?", "Retries"],
  ],
  "libphonenumber-js/README.md": [
    ["Which build is the smallest to download?", '"min" vs "max" vs "mobile" vs "core"'],
    ["Insert blanks and brackets while somebody still enters digits", '"As You Type" formatter'],
    ["Find every telephone number in a paragraph", "Full-text search"],
  ],
  "unpdf/README.md": [
    ["Who wrote the file and when was it made?", "getMeta"],
    ["Make a thumbnail of the first sheet", "renderPageAsImage"],
    ["Can a file from the internet harm my server when I open it?", "Processing Untrusted PDFs"],
  ],
  "chardet/README.md": [["Guess from just the beginning of a huge file", "Working with large data sets"]],
  "htmlparser2/README.md": [
    ["Read RSS and Atom", "Parsing feeds"],
    ["How fast is it beside its competitors?", "Performance"],
  ],
  "@hono/zod-openapi/README.md": [
    ["Show in the docs that callers need a bearer token", "How to setup authorization"],
    ["Hide one endpoint from the published description", "How to exclude a specific route from OpenAPI docs"],
    ["React to bad input in the same way everywhere", "A DRY approach to handling validation errors"],
  ],
  "gpt-tokenizer/README.md": [
    ["How many dollars will this prompt be?", "estimateCost(tokenCount: number, modelSpec?: ModelSpec): PriceData"],
  ],
  "marked/README.md": [
    [
      "Is the HTML that comes out safe against XSS?",
      "Warning: 🚨 Marked does not sanitize the output HTML. Please use a sanitize library, like DOMPurify (recommended), sanitize-html or insane on the output HTML! 🚨",
    ],
  ],
  "@langchain/openai/README.md": [
    ["Let the model click and type in a browser", "Computer Use Tool"],
    ["Run Python of the model in a sandbox", "Code Interpreter Tool"],
  ],
};

function questionsOf(pages: Pages): PackageQuestion[] {
  return Object.entries(pages).flatMap(([path, questions]) =>
    questions.map(([ask, ...headings]) => ({ ask, sections: headings.map((heading) => ({ path, heading })) })),
  );
}

/**
 * Questions about the documentation of packages that this repository is developed with, in other words than those of the sections that answer
 * them, and written before any of them was searched. Each library is searched by itself. `roots`: files and folders of pages in node_modules.
 */
export const PACKAGE_LIBRARIES = {
  ai: {
    roots: ["03-agents", "03-ai-sdk-core", "04-ai-sdk-ui", "06-advanced", "09-troubleshooting"].map(
      (folder) => `ai/docs/${folder}`,
    ),
    questions: questionsOf(SDK),
  },
  readmes: {
    roots: [
      ...Object.keys(READMES),
      ...["jose", "papaparse", "stdnum", "zod", "hono", "knip", "drizzle-orm"].map((name) => `${name}/README.md`),
    ],
    questions: questionsOf(READMES),
  },
};
