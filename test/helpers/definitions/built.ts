/** Makes a module of the stores whose lists are those of `lists.ts`, and imports it. */
import { mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";

const folder = fileURLToPath(new URL(".", import.meta.url));
const source = resolve(folder, "../../../src");

/** All code but `lists.ts` itself imports the lists of `lists.ts` in place of im-admin's. */
const otherLists: Plugin = {
  name: "other lists",
  setup({ onResolve }) {
    onResolve({ filter: /\/index\.js$/ }, ({ path, importer, resolveDir }) => {
      const isLists = resolve(resolveDir, path) === join(source, "stores/lists/index.js");
      return isLists && importer !== join(folder, "lists.ts") ? { path: join(folder, "lists.ts") } : undefined;
    });
    onResolve({ filter: /\.sql\?raw$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path.replace("?raw", "")),
    }));
  },
};

export async function builtStores(): Promise<typeof import("./stores.js")> {
  // From here, it finds the packages.
  const into = mkdtempSync(join(source, "../node_modules/.definitions-"));
  const outfile = join(into, "stores.mjs");
  try {
    await build({
      entryPoints: [join(folder, "stores.ts")],
      outfile,
      plugins: [otherLists],
      loader: { ".sql": "text" },
      bundle: true,
      packages: "external",
      format: "esm",
      platform: "node",
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(into, { recursive: true });
  }
}
