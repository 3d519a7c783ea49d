import { is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import * as entityTables from "#db/schema/entities";
import * as factTables from "#db/schema/facts";
import * as forgettingTables from "#db/schema/forgettings";
import * as jobTables from "#db/schema/jobs";
import * as memoryTables from "#db/schema/memories";
import * as peopleTables from "#db/schema/people";
import * as sessionTables from "#db/schema/sessions";
import * as sourceTables from "#db/schema/sources";
import * as tenantTables from "#db/schema/tenants";
import * as transferTables from "#db/schema/transfer";
import * as usageTables from "#db/schema/usage";

/** Every table of the schema. */
export const SCHEMA_TABLES: SQLiteTable[] = [
  entityTables,
  factTables,
  forgettingTables,
  jobTables,
  memoryTables,
  peopleTables,
  sessionTables,
  sourceTables,
  tenantTables,
  transferTables,
  usageTables,
].flatMap((tables) => Object.values<unknown>(tables).filter((value) => is(value, SQLiteTable)));
