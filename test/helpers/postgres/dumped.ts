import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { PostgresServer } from "./server.js";

/** The dump of a database's schema by pg_dump, or, on a server that comes without it, all objects in its catalogs. */
export async function dumped({ pool, url }: PostgresServer): Promise<string> {
  const program = join(process.env["POSTGRES_BIN"] ?? "", "pg_dump");
  if (existsSync(program)) {
    const dump = execFileSync(program, ["--schema-only", url], { encoding: "utf8" });
    // Newer versions write a random key.
    return dump.replace(/^\\(?:un)?restrict .*$/gm, "");
  }
  const { rows } = await pool.query(`
    SELECT format('%s %s %s %s', described.type, described.identity, found.access, obj_description(found.oid, found.class::name)) AS line
      FROM (
        SELECT 'pg_class'::regclass, oid, relacl::text FROM pg_class
        UNION ALL SELECT 'pg_proc'::regclass, oid, proacl::text FROM pg_proc
        UNION ALL SELECT 'pg_type'::regclass, oid, typacl::text FROM pg_type
        UNION ALL SELECT 'pg_namespace'::regclass, oid, nspacl::text FROM pg_namespace
        UNION ALL SELECT 'pg_trigger'::regclass, oid, pg_get_triggerdef(oid) || tgenabled::text FROM pg_trigger
        UNION ALL SELECT 'pg_constraint'::regclass, oid, pg_get_constraintdef(oid) FROM pg_constraint
        UNION ALL SELECT 'pg_default_acl'::regclass, oid, defaclacl::text FROM pg_default_acl
      ) found (class, oid, access) CROSS JOIN LATERAL pg_identify_object(found.class, found.oid, 0) described
      WHERE found.oid >= 16384 ORDER BY 1`);
  return rows.map(({ line }) => line).join("\n");
}
