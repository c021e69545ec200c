import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { onePage } from "./onePage.js";

const root = fileURLToPath(new URL(".", import.meta.url));

/** The console, built to one module that holds the whole page. */
export default defineConfig({
  root,
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [onePage()],
  build: {
    outDir: fileURLToPath(new URL("../dist/adapters/console", import.meta.url)),
    emptyOutDir: false,
    target: ["chrome123", "firefox125", "safari17.5"],
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
