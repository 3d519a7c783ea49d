import { createRoute } from "@hono/zod-openapi";
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
import { answers, body, idempotencyKey, lines, secured } from "#surfaces/rest/answers";
import { once } from "#surfaces/rest/idempotent";
import { createRouter } from "#surfaces/rest/router";

const tags = ["audit"];

export const auditRoutes = createRouter()
  .openapi(
    createRoute({
      method: "get",
      path: "/v1/audit",
      tags,
      security: secured,
      summary: "What was changed by whom, newest first (permission: admin)",
      request: { query: AuditListInput },
      responses: answers(200, AuditPage, "A page of rows"),
    }),
    async (c) => c.json(await listAudit(c.var.ctx, c.req.valid("query")), 200),
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/v1/audit/verify",
      tags,
      security: secured,
      summary: "Seal what is new and recompute the hash chain (permission: admin)",
      request: { query: VerifyInput },
      responses: answers(200, VerificationView, "What was found"),
    }),
    async (c) => c.json(await verifyAudit(c.var.ctx, c.req.valid("query")), 200),
  )
  .openapi(
    createRoute({
      method: "get",
      path: "/v1/audit/export",
      tags,
      security: secured,
      summary: "All rows and seals as JSON Lines, oldest first (permission: admin)",
      request: { query: ExportInput },
      responses: lines("A line a row or seal, and one that says that it is the end"),
    }),
    async (c) => c.body(await exportAudit(c.var.ctx, c.req.valid("query")), 200, { "content-type": "application/x-ndjson" }),
  )
  .openapi(
    createRoute({
      method: "post",
      path: "/v1/audit/erase",
      middleware: once(ErasedView),
      tags,
      security: secured,
      summary: "Erase the content of rows; the chain stays whole (permission: admin)",
      request: { headers: idempotencyKey, ...body(EraseInput) },
      responses: answers(200, ErasedView, "How many rows were erased"),
    }),
    async (c) => c.json(await eraseAuditContent(c.var.ctx, c.req.valid("json")), 200),
  );
