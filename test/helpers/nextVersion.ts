/** A made-up next version of SQLite's schema, and what bundles the drivers with it. */
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { nextFile } from "../../build/migration.js";
import { migrationTexts } from "../../src/stores/sqlite/schema/migration.js";
import { schemaOf } from "../../src/stores/sqlite/schema/schema.js";
import { raw } from "../../src/stores/sqlite/sql.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The definitions, in some of which a text is replaced. */
export function definitionsWith(changes: Readonly<Record<string, [from: string, to: string]>>) {
  return schemaOf().map((object) => {
    const [from = "", to = ""] = changes[object.name] ?? [];
    return { ...object, sql: raw(object.sql.text.replace(from, to)) };
  });
}

/** A new column of records, one of kept data, and another order. */
export const nextText = nextFile(
  migrationTexts,
  definitionsWith({
    im_admin_users: ["  PRIMARY KEY", "  title TEXT NOT NULL DEFAULT 'none',\n  PRIMARY KEY"],
    im_admin_lists: ["  UNIQUE", "  note TEXT,\n  UNIQUE"],
    im_admin_blacks_updated: ["AFTER UPDATE OF create_time", "AFTER UPDATE"],
  }),
);

const nextVersion: Plugin = {
  name: "the next version",
  setup(build) {
    build.onLoad({ filter: /sqlite.schema.migration\.ts$/ }, () => ({
      contents: `export const migrationTexts = ${JSON.stringify([...migrationTexts, nextText])}`,
    }));
  },
};

/** Bundles what some code of the repository imports, with the next version of the schema. */
export async function bundleNext(contents: string, options: BuildOptions): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: "ts" },
    bundle: true,
    write: false,
    plugins: [nextVersion],
    logLevel: "error",
    ...options,
  });
  return outputFiles?.[0]?.text ?? "";
}
