import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "esbuild";
import { defineConfig } from "tsup";
import { writeLicenses } from "./build/licenses.js";

const commandLine = "adapters/cli";
const openApi = "adapters/openapi";

/** Leaves out of a bundle what the library has: the modules stand in `dist` beside it, under the same names. */
const importLibrary = (bundled: string): Plugin => ({
  name: "import the library",
  setup(build) {
    build.onResolve({ filter: /^\.\.?\// }, ({ path, importer, resolveDir }) => {
      const folder = resolve(bundled);
      if (!dirname(importer).startsWith(folder)) return undefined;
      const imported = relative(folder, resolve(resolveDir, path));
      return imported.startsWith("..") ? { path: imported, external: true } : undefined;
    });
  },
});

/**
 * Puts the text of an SQL file where a module imports it with "?raw", as Vite does for the tests. Workers have the text for
 * SQLite and a limit for their size, so its comments are left out.
 */
const inlineSql: Plugin = {
  name: "inline SQL",
  setup(build) {
    build.onLoad({ filter: /migration\.ts$/ }, ({ path }) => {
      const comments = path.includes("sqlite") ? /^-- .*\n/gm : /(?!)/g;
      const text = (file: string) => readFileSync(resolve(dirname(path), file), "utf8").replaceAll(comments, "");
      const contents = readFileSync(path, "utf8").replace(
        /^import (\w+) from "(.*\.sql)\?raw";$/gm,
        (_, name, file) => `const ${name} = ${JSON.stringify(text(file))};`,
      );
      return { loader: "ts", contents };
    });
  },
};

/** Writes the schema of PostgreSQL into the file that users apply themselves. */
async function writeMigration(): Promise<void> {
  const { versions } = await import(pathToFileURL(resolve("dist/src/stores/postgres/upkeep/migration.js")).href);
  mkdirSync("migrations/postgres", { recursive: true });
  for (const [index, text] of versions.entries()) {
    writeFileSync(`migrations/postgres/${String(index + 1).padStart(4, "0")}.sql`, text);
  }
}

/**
 * Leaves out the indentation of statements that only read or write records: a Worker has limits for its size. What
 * makes the schema keeps it, since `check` compares that with what is stored.
 */
const leaveOutIndentation: Plugin = {
  name: "leave out indentation",
  setup(build) {
    const statements =
      /stores.sqlite.(map.(carefulDatabases|findUnreadable|marks)|pages|search|settle|records.(read|setConversations|write))\b.*\.ts$/;
    build.onLoad({ filter: statements }, ({ path }) => ({
      loader: "ts",
      contents: readFileSync(path, "utf8").replaceAll(/\n +/g, "\n"),
    }));
  },
};

export default defineConfig([
  {
    // A file for each module, so that whoever bundles the library leaves out what is not used.
    entry: ["src/**/*.ts", "adapters/**/*.ts", `!${commandLine}/**`, `!${openApi}/**`, "!**/*.d.ts"],
    bundle: false,
    esbuildPlugins: [inlineSql, leaveOutIndentation],
    onSuccess: writeMigration,
    // The declarations of each subpath in one file.
    dts: {
      entry: {
        index: "src/index.ts",
        sqlite: "src/stores/drivers/sqlite.ts",
        d1: "src/stores/drivers/d1.ts",
        sql: "src/stores/drivers/sql.ts",
        "node-sqlite": "src/stores/drivers/nodeSqlite.ts",
        "bun-sqlite": "src/stores/drivers/bunSqlite.ts",
        libsql: "src/stores/drivers/libsql.ts",
        "durable-object": "src/stores/drivers/durableObject.ts",
        postgres: "src/stores/postgres/index.ts",
        tables: "src/stores/tablesSql.ts",
        openim: "src/openim/index.ts",
        testing: "src/testing/index.ts",
        fetch: "adapters/fetch.ts",
        "itty-router": "adapters/itty-router.ts",
        node: "adapters/node.ts",
        auth: "adapters/auth.ts",
        client: "adapters/client.ts",
        console: "adapters/console.ts",
        openapi: `${openApi}/index.ts`,
      },
    },
    format: "esm",
    target: "es2022",
    platform: "neutral",
    // Without its prefix, there is no node:sqlite.
    removeNodeProtocol: false,
    // The bundles are built at the same time, and the console's page before.
    clean: [`!${commandLine}/**`, `!${openApi}/**`, "!adapters/console/{page.js,LICENSES.txt}"],
  },
  {
    // One file with what turns schemas into JSON Schema, which nothing else needs. Valibot is imported.
    entry: [`${openApi}/index.ts`],
    outDir: `dist/${openApi}`,
    esbuildPlugins: [importLibrary(openApi), writeLicenses],
    format: "esm",
    target: "es2022",
    platform: "neutral",
    clean: true,
  },
  {
    // Files with the packages that nothing else needs, so that only im-admin's own developers install them.
    entry: { main: `${commandLine}/main.ts`, followThread: `${commandLine}/follow/thread.ts` },
    outDir: `dist/${commandLine}`,
    esbuildPlugins: [importLibrary(commandLine), writeLicenses],
    // The bundled packages in CommonJS require modules of Node.
    banner: { js: 'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);' },
    format: "esm",
    target: "node20",
    platform: "node",
    removeNodeProtocol: false,
    clean: true,
  },
]);
