import { createRoute } from "@hono/zod-openapi";
import { changeSettings, readSettings, SettingsChange, SettingsView } from "#domain/settings";
import { answers, optionalBody, secured } from "#surfaces/rest/answers";
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
      responses: answers(200, SettingsView, "The settings"),
    }),
    async (c) => c.json(await readSettings(c.var.ctx), 200),
  )
  .openapi(
    createRoute({
      method: "patch",
      path: "/v1/settings",
      tags,
      security: secured,
      summary: "Change settings; what is not named stays (permission: admin)",
      request: optionalBody(SettingsChange),
      responses: answers(200, SettingsView, "The settings as they are now"),
    }),
    async (c) => c.json(await changeSettings(c.var.ctx, c.req.valid("json")), 200),
  );
