import { changeSettings, readSettings, SettingsChange, SettingsView } from "#domain/settings";
import { optionalBody, versioned } from "#surfaces/rest/answers";
import { etagOf, ifMatch, versionsIn } from "#surfaces/rest/etag";
import { SETTINGS, SETTINGS_CHANGE } from "#surfaces/rest/examples/operations";
import { routesOf } from "#surfaces/rest/route";
import { createRouter } from "#surfaces/rest/router";

const route = routesOf({ tag: "settings", answersContent: false });

export const settingsRoutes = createRouter()
  .openapi(
    route({
      method: "get",
      path: "/v1/settings",
      operationId: "settings.get",
      summary: "Read the settings",
      description: "The tenant's settings. The ETag is their version.",
      permission: "admin",
      session: "nowhere",
      responses: versioned(200, SettingsView, { description: "The settings; the ETag is their version", example: SETTINGS }),
    }),
    async (c) => {
      const settings = await readSettings(c.var.ctx);
      return c.json(settings, 200, { etag: etagOf(settings) });
    },
  )
  .openapi(
    route({
      method: "patch",
      path: "/v1/settings",
      operationId: "settings.update",
      summary: "Change settings",
      description: "Fields that are left out stay as they are. Null resets a setting to its default.",
      permission: "admin",
      session: "nowhere",
      request: { headers: ifMatch, ...optionalBody(SettingsChange, SETTINGS_CHANGE) },
      responses: versioned(200, SettingsView, {
        description: "The settings as they are now; the ETag is their version",
        example: SETTINGS,
      }),
    }),
    async (c) => {
      const settings = await changeSettings(c.var.ctx, c.req.valid("json"), versionsIn(c.req.valid("header")));
      return c.json(settings, 200, { etag: etagOf(settings) });
    },
  );
