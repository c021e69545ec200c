import { sql } from "../sql.js";

/** Where the version of the schema is noted; a database without it has none of our tables. */
export const versionTable = sql`CREATE TABLE IF NOT EXISTS im_admin_schema_version (version INTEGER NOT NULL) STRICT`;
