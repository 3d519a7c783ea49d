import type { Context, Next } from "hono";
import { bodyLimit } from "hono/body-limit";
import { except } from "hono/combine";
import { describeError } from "#core/describe-error";
import { AppError } from "#core/errors";
import { OAUTH_PATHS } from "#core/oauth-addresses";
import { serveReference } from "#surfaces/docs/routes";
import { handleMcp } from "#surfaces/mcp/handler";
import { challenge, requireGrant } from "#surfaces/oauth/require-grant";
import { oauthRoutes } from "#surfaces/oauth/routes";
import { responseRoutes } from "#surfaces/proxy/responses/routes";
import { proxyRoutes } from "#surfaces/proxy/routes";
import { guardTokenRoute, requireCaller } from "./authenticate.ts";
import { createNearestAddress, noSuchRoute, notOfOpenAi } from "./nearest-address.ts";
import { openApiDocument } from "./openapi.ts";
import { answerBrowsers, guardOrigin, guardTokenOrigin } from "./origins.ts";
import { STATUS, toProblem } from "./problem.ts";
import { bodyRefusal, strictUtf8 } from "./request-body.ts";
import type { RestEnv } from "./rest-env.ts";
import { MAX_BODY_BYTES } from "./route.ts";
import { routedPath } from "./routed-path.ts";
import { createRouter, createRouteTable, servedRoutes } from "./router.ts";
import { auditRoutes } from "./routes/audit.ts";
import { contextRoutes } from "./routes/context.ts";
import { doctorRoutes } from "./routes/doctor.ts";
import { entityRoutes } from "./routes/entities.ts";
import { episodeRoutes } from "./routes/episodes.ts";
import { extractRoutes } from "./routes/extract.ts";
import { factRoutes } from "./routes/facts.ts";
import { forgettingRoutes } from "./routes/forgettings.ts";
import { healthRoutes } from "./routes/health.ts";
import { jobRoutes } from "./routes/jobs.ts";
import { keyRoutes } from "./routes/keys.ts";
import { lifecycleRoutes } from "./routes/lifecycle.ts";
import { memoryRoutes } from "./routes/memories.ts";
import { peopleRoutes } from "./routes/people.ts";
import { projectRoutes } from "./routes/projects.ts";
import { searchRoutes } from "./routes/search.ts";
import { sessionRoutes } from "./routes/sessions.ts";
import { settingsRoutes } from "./routes/settings.ts";
import { sourceRoutes } from "./routes/sources.ts";
import { tokenRoutes } from "./routes/tokens.ts";
import { topicRoutes } from "./routes/topics.ts";
import { usageRoutes } from "./routes/usage.ts";
import { userRoutes } from "./routes/users.ts";
import { finish, start } from "./trace.ts";

/** What needs a credential, except for open routes of the API. */
const PROTECTED = ["/v1/*", "/mcp", OAUTH_PATHS.resource] as const;

export const app = createRouter({ getPath: routedPath });

app.use(async (c, next) => {
  c.set("route", findRoute(c.req.method, c.req.path));
  await next();
});
app.use(start);
app.use(finish);
app.use(answerBrowsers);
app.use(OAUTH_PATHS.resource, challenge);
for (const path of [...PROTECTED, "/oauth/*"]) app.use(path, limitBody);
for (const path of PROTECTED) app.use(path, guardOrigin);
app.get("/", (c) => c.redirect("/docs"));
app.get("/openapi.json", (c) => c.json(openApiDocument(app, new URL(c.req.url).origin)));
serveReference(app, (origin) => openApiDocument(app, origin));

app.use(OAUTH_PATHS.resource, requireGrant);
for (const path of PROTECTED) app.use(path, except(isOpen, requireCaller, guardTokenOrigin, guardTokenRoute));
app.use(except(isOpen, refuseMethod));
for (const path of PROTECTED) app.use(path, except(isOpen, strictUtf8));
app.post("/mcp", handleMcp);
app.post(OAUTH_PATHS.resource, handleMcp);
app.route("/", oauthRoutes);
for (const routes of [
  healthRoutes,
  keyRoutes,
  tokenRoutes,
  settingsRoutes,
  topicRoutes,
  jobRoutes,
  usageRoutes,
  auditRoutes,
  lifecycleRoutes,
  doctorRoutes,
  proxyRoutes,
  responseRoutes,
  userRoutes,
  peopleRoutes,
  projectRoutes,
  sessionRoutes,
  episodeRoutes,
  memoryRoutes,
  forgettingRoutes,
  entityRoutes,
  factRoutes,
  sourceRoutes,
  searchRoutes,
  contextRoutes,
  extractRoutes,
]) {
  app.route("/", routes);
}
const served = servedRoutes(app);
const findRoute = createRouteTable(served);
const ofOpenAi = new Set(
  served.flatMap(({ path, traits }) => (traits?.openAiErrors === true && !path.includes(":") ? [path] : [])),
);
const nearestAddress = createNearestAddress(served.map(({ path }) => path));

app.notFound((c) => {
  if (isOpenAiClient(c)) return toProblem(c, notOfOpenAi([...ofOpenAi]), c.var.requestId);
  const nearest = nearestAddress(c.req.path);
  if (nearest !== null) c.set("route", findRoute(c.req.method, nearest));
  return toProblem(c, noSuchRoute(nearest), c.var.requestId);
});

app.onError(async (error, c) => {
  const requestId = c.var.requestId ?? "unknown";
  const known = (await bodyRefusal(c, error)) ?? error;
  if (!(known instanceof AppError) || STATUS[known.code] >= 500) {
    c.env.log("request.failed", { requestId, method: c.req.method, route: c.req.routePath, ...describeError(error) });
  }
  return toProblem(c, known, requestId);
});

/** OpenAI's own packages, those built on them, and the AI SDK name themselves. */
function isOpenAiClient(c: Context<RestEnv>): boolean {
  return c.req.header("x-stainless-lang") !== undefined || /openai|ai-sdk/i.test(c.req.header("user-agent") ?? "");
}

function isOpen(c: Context<RestEnv>): boolean {
  return c.var.route.traits?.permission === null;
}

/** Answers a path that exists but does not take the method with `method_not_allowed` and `allow`; `notFound` answers unknown paths. */
async function refuseMethod(c: Context<RestEnv>, next: Next) {
  const { allow } = c.var.route;
  if (allow === "" || allow.split(", ").includes(c.req.method)) return await next();
  c.header("allow", allow);
  return toProblem(
    c,
    new AppError("method_not_allowed", `This path does not take that method. It takes ${allow}.`),
    c.var.requestId,
  );
}

async function limitBody(c: Context<RestEnv>, next: Next) {
  const maxSize = c.var.route.traits?.bodyLimit ?? MAX_BODY_BYTES;
  const onError = () => {
    throw new AppError("payload_too_large", `A body may have ${maxSize} bytes.`);
  };
  return await bodyLimit({ maxSize, onError })(c, next);
}
