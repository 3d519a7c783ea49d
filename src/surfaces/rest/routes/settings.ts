import { createRoute } from "@hono/zod-openapi";
import { changeSettings, readSettings, SettingsChange, SettingsView } from "#domain/settings";
import { answers, optionalBody, outdated, secured } from "#surfaces/rest/answers";
import { etagOf, ifMatch, versionsIn } from "#surfaces/rest/etag";
import { createRouter } from "#surfaces/rest/router";

const tags = ["settings"];

export const settingsRoutes = createRouter()
  .openapi(
    createRoute({
      method: "get",
      path: "/v1/settings",
      tags,
      security: secured,
      summary: "The tenant's settings (permission: admin)",
      responses: answers(200, SettingsView, "The settings; the ETag is their version"),
    }),
    async (c) => {
      const settings = await readSettings(c.var.ctx);
      return c.json(settings, 200, { etag: etagOf(settings) });
    },
  )
  .openapi(
    createRoute({
      method: "patch",
      path: "/v1/settings",
      tags,
      security: secured,
      summary: "Change settings; what is not named stays (permission: admin)",
      request: { headers: ifMatch, ...optionalBody(SettingsChange) },
      responses: { ...answers(200, SettingsView, "The settings as they are now; the ETag is their version"), ...outdated },
    }),
    async (c) => {
      const settings = await changeSettings(c.var.ctx, c.req.valid("json"), versionsIn(c.req.valid("header")));
      return c.json(settings, 200, { etag: etagOf(settings) });
    },
  );
