import { compose, limitersOf, log, oauthOf } from "#compose";
import type { Env } from "#env";
import { runCron } from "#surfaces/cron";
import { consumeJobs } from "#surfaces/queue";
import { app } from "#surfaces/rest/app";

export { VectorObject } from "#adapters/vector-object/vector-object";

export default {
  fetch: (request, env, execution) =>
    app.fetch(
      request,
      {
        open: (bookmark) => compose(env, execution, bookmark),
        limiters: limitersOf(env),
        oauth: oauthOf(env, execution),
        log,
      },
      execution,
    ),
  queue: (batch, env, execution) => consumeJobs(batch, compose(env, execution)),
  scheduled: (_controller, env, execution) => runCron(compose(env, execution)),
} satisfies ExportedHandler<Env>;
