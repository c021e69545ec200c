/** What docs/engines.md says of compilers and bundlers, with the tarball that `npm publish` would send. */
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { root } from "../helpers/docs/pages.js";
import { subpaths, useProject } from "./helpers/project.js";

const compilers = ["5.2.2", "6.0.3", "7.0.2"];
const resolutions = { nodenext: "nodenext", bundler: "esnext" };

const tools = ["@types/node@20", "rollup@4", "@rollup/plugin-node-resolve@16", "webpack@5"];
const typescripts = compilers.map((version) => `typescript-${version}@npm:typescript@${version}`);
const { path, node } = useProject(...tools, ...typescripts, "--ignore-scripts");

beforeAll(() => {
  rmSync(path("node_modules", "better-sqlite3"), { recursive: true });
  symlinkSync(join(root, "node_modules", "better-sqlite3"), path("node_modules", "better-sqlite3"));
});

describe.each(compilers)("TypeScript %s", (version) => {
  it.each(Object.entries(resolutions))(
    "checks all declarations, with the resolution %s",
    (moduleResolution, module) => {
      for (const [index, subpath] of subpaths.entries()) {
        writeFileSync(path(`consumer${index}.ts`), `export * from "${subpath}";`);
      }
      const compilerOptions = {
        module,
        moduleResolution,
        target: "es2022",
        lib: ["es2022"],
        types: ["node"],
        strict: true,
        skipLibCheck: false,
        noEmit: true,
      };
      writeFileSync(path("tsconfig.json"), JSON.stringify({ compilerOptions, include: ["consumer*.ts"] }));
      expect(node(path("node_modules", `typescript-${version}`, "bin", "tsc"))).toBe("");
    },
  );
});

const program = `
  import { searchNotificationAccount } from "im-admin";
  import { openSqliteStore } from "im-admin/sqlite";
  const store = openSqliteStore({ path: ":memory:" });
  await store.put({ users: [{ userID: "u1", appMangerLevel: 3 }] });
  const { data } = await searchNotificationAccount(store, { pagination: { pageNumber: 1, showNumber: 1 } });
  console.log(data.total);`;

const bundlers: Record<string, string> = {
  esbuild: `
    const { build } = await import(${JSON.stringify(join(root, "node_modules/esbuild/lib/main.js"))});
    await build({ entryPoints: ["entry.js"], bundle: true, platform: "node", format: "esm", outfile: "esbuild/bundle.mjs" });`,
  vite: `
    const { build } = await import(${JSON.stringify(join(root, "node_modules/vite/dist/node/index.js"))});
    const output = { entryFileNames: "bundle.mjs" };
    const rolldownOptions = { input: "entry.js", output };
    await build({ logLevel: "silent", build: { ssr: true, outDir: "vite", rolldownOptions }, ssr: { noExternal: ["im-admin"] } });`,
  rollup: `
    import { rollup } from "rollup";
    import { nodeResolve } from "@rollup/plugin-node-resolve";
    const bundle = await rollup({ input: "entry.js", plugins: [nodeResolve({ preferBuiltins: true })], onLog() {} });
    await bundle.write({ file: "rollup/bundle.mjs", inlineDynamicImports: true });`,
  webpack: `
    import webpack from "webpack";
    const output = { path: process.cwd() + "/webpack", filename: "bundle.mjs", module: true, chunkFormat: "module" };
    const options = { mode: "production", target: "node20", entry: "./entry.js", output, experiments: { outputModule: true } };
    options.externals = [/^(im-admin|better-sqlite3)(\\/|$)/];
    options.externalsType = "module";
    await new Promise((resolve, reject) => {
      webpack(options, (error, stats) => {
        if (error || stats.hasErrors()) reject(error ?? new Error(stats.toString("errors-only")));
        else resolve();
      });
    });`,
};

it.each(Object.entries(bundlers))(
  "%s bundles a program that opens a file, and finds better-sqlite3",
  (name, script) => {
    writeFileSync(path("entry.js"), program);
    writeFileSync(path("bundle.mjs"), script);
    node("bundle.mjs");
    expect(node(path(name, "bundle.mjs"))).toBe("1\n");
  },
);
