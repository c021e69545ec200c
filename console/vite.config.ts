import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { onePage } from "./onePage.js";

const root = fileURLToPath(new URL(".", import.meta.url));

/** Builds the console into one module, which holds the whole page. */
export default defineConfig({
  root,
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [onePage()],
  // While you change the page, the server of `npm start` answers its requests.
  server: { proxy: { "^/(group|friend|user|conversation)/": "http://127.0.0.1:10002" } },
  build: {
    outDir: fileURLToPath(new URL("../dist/adapters/console", import.meta.url)),
    emptyOutDir: false,
    target: ["chrome123", "firefox125", "safari17.5"],
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
