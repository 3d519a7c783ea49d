import { ExportRowsInput, exportRows } from "#domain/exports";
import { lines, linesType } from "#surfaces/rest/answers";
import { EXPORT_LINES } from "#surfaces/rest/examples/operations";
import { routesOf } from "#surfaces/rest/route";
import { createRouter } from "#surfaces/rest/router";

const route = routesOf({ tag: "exports", answersContent: true });

export const exportRoutes = createRouter().openapi(
  route({
    method: "get",
    path: "/v1/exports",
    operationId: "exports.read",
    summary: "Export a user or the tenant",
    description:
      "Everything that belongs to a user, or with a key with `admin` and without `userId` to the tenant, as JSON Lines.",
    permission: "read",
    session: "nowhere",
    request: { query: ExportRowsInput },
    responses: lines("A header, one line for each row, and a last one with counts and hashes", EXPORT_LINES),
  }),
  async (c) => c.body(await exportRows(c.var.ctx, c.req.valid("query")), 200, { "content-type": linesType(c) }),
);
