import {
  AuditListInput,
  AuditPage,
  ErasedView,
  EraseInput,
  ExportInput,
  eraseAuditContent,
  exportAudit,
  listAudit,
  VerificationView,
  VerifyInput,
  verifyAudit,
} from "#domain/audit";
import { answers, body, lines, linesType } from "#surfaces/rest/answers";
import { AUDIT_LINES, AUDIT_PAGE, ERASE, ERASED, VERIFICATION } from "#surfaces/rest/examples/operations";
import { routesOf } from "#surfaces/rest/route";
import { createRouter } from "#surfaces/rest/router";

const route = routesOf({ tag: "audit", answersContent: false });

export const auditRoutes = createRouter()
  .openapi(
    route({
      method: "get",
      path: "/v1/audit",
      operationId: "audit.list",
      summary: "List changes",
      description: "Who changed what, newest first.",
      permission: "admin",
      session: "nowhere",
      request: { query: AuditListInput },
      responses: answers(200, AuditPage, { description: "A page of rows", example: AUDIT_PAGE }),
    }),
    async (c) => c.json(await listAudit(c.var.ctx, c.req.valid("query")), 200),
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/audit/verify",
      operationId: "audit.verify",
      summary: "Verify the hash chain",
      description: "Seals new rows and recomputes the hash chain.",
      permission: "admin",
      session: "nowhere",
      request: { query: VerifyInput },
      responses: answers(200, VerificationView, { description: "The result", example: VERIFICATION }),
    }),
    async (c) => c.json(await verifyAudit(c.var.ctx, c.req.valid("query")), 200),
  )
  .openapi(
    route({
      method: "get",
      path: "/v1/audit/export",
      operationId: "audit.export",
      summary: "Export the audit log",
      description: "All rows and seals as JSON Lines, oldest first.",
      permission: "admin",
      session: "nowhere",
      request: { query: ExportInput },
      responses: lines("One line for each row and seal, and a last one that says that it is the end", AUDIT_LINES),
    }),
    async (c) => c.body(await exportAudit(c.var.ctx, c.req.valid("query")), 200, { "content-type": linesType(c) }),
  )
  .openapi(
    route({
      method: "post",
      path: "/v1/audit/erase",
      operationId: "audit.erase",
      summary: "Erase the content of audit rows",
      description:
        "The rows and the hash chain are kept. A session, a project and a user may have the same id: objectKind says which one is meant.",
      permission: "admin",
      session: "nowhere",
      replay: ErasedView,
      // A secret that an older release stored as an id can be erased by naming it.
      storesNames: false,
      request: body(EraseInput, ERASE),
      responses: answers(200, ErasedView, { description: "How many rows were erased", example: ERASED }),
    }),
    async (c) => c.json(await eraseAuditContent(c.var.ctx, c.req.valid("json")), 200),
  );
