import type { Context, Next } from "hono";
import { bodyLimit } from "hono/body-limit";
import { describeError } from "#core/describe-error";
import { AppError } from "#core/errors";
import { proxyRoutes } from "#surfaces/proxy/routes";
import { createAllow } from "./allow.ts";
import { requireKey } from "./authenticate.ts";
import { bodyRefusal } from "./body-refusal.ts";
import { errorPage } from "./error-pages.ts";
import { createNearestAddress, noSuchRoute } from "./nearest-address.ts";
import { openApiDocument, referencePage } from "./openapi.ts";
import { answerBrowsers, guardOrigin } from "./origins.ts";
import { STATUS, TITLE, toProblem } from "./problem.ts";
import { createRouter, type RestEnv } from "./router.ts";
import { auditRoutes } from "./routes/audit.ts";
import { contextRoutes } from "./routes/context.ts";
import { doctorRoutes } from "./routes/doctor.ts";
import { entityRoutes } from "./routes/entities.ts";
import { episodeRoutes } from "./routes/episodes.ts";
import { extractRoutes } from "./routes/extract.ts";
import { factRoutes } from "./routes/facts.ts";
import { healthRoutes, openHealthRoutes } from "./routes/health.ts";
import { jobRoutes } from "./routes/jobs.ts";
import { keyRoutes } from "./routes/keys.ts";
import { lifecycleRoutes } from "./routes/lifecycle.ts";
import { memoryRoutes } from "./routes/memories.ts";
import { peopleRoutes } from "./routes/people.ts";
import { projectRoutes } from "./routes/projects.ts";
import { searchRoutes } from "./routes/search.ts";
import { sessionRoutes } from "./routes/sessions.ts";
import { settingsRoutes } from "./routes/settings.ts";
import { topicRoutes } from "./routes/topics.ts";
import { usageRoutes } from "./routes/usage.ts";
import { userRoutes } from "./routes/users.ts";
import { strictUtf8 } from "./strict-utf8.ts";
import { finish, start } from "./trace.ts";
import { withholdContent } from "./withhold-content.ts";

const MAX_BODY_BYTES = 1_000_000;
/** A conversation with its images. It is in memory several times over, of the 128 MB that an isolate has. */
const MAX_CONVERSATION_BYTES = 10_000_000;

export const app = createRouter();

app.use(start);
app.use(finish);
const allowOf = createAllow(() => app.routes);
const nearestAddress = createNearestAddress(() => app.routes.flatMap(({ method, path }) => (method === "ALL" ? [] : [path])));
app.use(answerBrowsers(allowOf));
app.use("/v1/*", guardOrigin);
const limitBody = limitOf(MAX_BODY_BYTES);
const limitConversation = limitOf(MAX_CONVERSATION_BYTES);
app.use("/v1/*", (c, next) => (c.req.path === "/v1/chat/completions" ? limitConversation : limitBody)(c, next));
app.route("/", openHealthRoutes);
app.get("/", (c) => c.redirect("/docs"));
app.get("/openapi.json", (c) => c.json(openApiDocument(app)));
app.get("/docs/errors", (c) => c.html(errorPage({ status: STATUS, title: TITLE })));
app.get("/docs", (c) => c.html(referencePage(openApiDocument(app))));

app.use("/v1/*", requireKey);
app.use(refuseMethod);
app.use("/v1/*", strictUtf8);
// The tenant's own, with nothing in its answers that users said; and completions, which are a model's words.
for (const routes of [
  healthRoutes,
  keyRoutes,
  settingsRoutes,
  topicRoutes,
  jobRoutes,
  usageRoutes,
  auditRoutes,
  lifecycleRoutes,
  doctorRoutes,
  proxyRoutes,
]) {
  app.route("/", routes);
}
app.use("/v1/*", withholdContent);
for (const routes of [
  userRoutes,
  peopleRoutes,
  projectRoutes,
  sessionRoutes,
  episodeRoutes,
  memoryRoutes,
  entityRoutes,
  factRoutes,
  searchRoutes,
  contextRoutes,
  extractRoutes,
]) {
  app.route("/", routes);
}

app.notFound((c) => toProblem(c, noSuchRoute(nearestAddress(c.req.path)), c.var.requestId));

app.onError(async (error, c) => {
  const requestId = c.var.requestId ?? "unknown";
  const known = (await bodyRefusal(c, error)) ?? error;
  if (!(known instanceof AppError) || STATUS[known.code] >= 500) {
    c.env.log("request.failed", { requestId, method: c.req.method, route: c.req.routePath, ...describeError(error) });
  }
  return toProblem(c, known, requestId);
});

/** 405 with `allow` for a path that is there and does not take the method; what is not there is `notFound`'s. */
async function refuseMethod(c: Context<RestEnv>, next: Next) {
  const allow = allowOf(c.req.path);
  if (allow === "" || allow.split(", ").includes(c.req.method)) return await next();
  c.header("allow", allow);
  return toProblem(
    c,
    new AppError("method_not_allowed", `This path does not take that method. It takes ${allow}.`),
    c.var.requestId,
  );
}

function limitOf(maxSize: number) {
  return bodyLimit({
    maxSize,
    onError: () => {
      throw new AppError("payload_too_large", `A body may have ${maxSize} bytes.`);
    },
  });
}
