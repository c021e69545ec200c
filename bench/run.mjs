// Bundles the benchmark, since Node 20 runs no TypeScript, and starts it: see README.md beside this file.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const outdir = `${root}node_modules/.cache/im-admin-bench`;

await build({
  entryPoints: [
    ...["main", "child", "httpServer"].map((out) => ({ in: `${root}bench/${out}.ts`, out })),
    // A store looks for the code of its threads beside its own.
    { in: `${root}src/stores/drivers/lane/laneThread.ts`, out: "laneThread" },
  ],
  outdir,
  bundle: true,
  splitting: true,
  packages: "external",
  loader: { ".sql": "text" },
  format: "esm",
  platform: "node",
  target: "node20",
  logLevel: "warning",
});
const { main } = await import(`${outdir}/main.js`);
await main(root, process.argv.slice(2));
