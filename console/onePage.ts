import { createHash } from "node:crypto";
import type { Plugin, Rolldown } from "vite";
import { licensesOf } from "../build/licenses.js";
import { chinese } from "./language/chinese.js";
import { dataOf } from "./language/textData.js";

/** The Chinese texts as JSON that no element ends. */
const chineseData = JSON.stringify(dataOf(chinese)).replaceAll("<", "\\u003c");

/** Turns a built page into one module: the HTML with its script and style, and the hashes of both for a policy. */
export function onePage(): Plugin {
  return {
    name: "one page",
    enforce: "post",
    transformIndexHtml: () => [
      { tag: "script", attrs: { type: "application/json", id: "chinese" }, children: chineseData, injectTo: "body" },
    ],
    generateBundle(_, bundle) {
      const files = Object.values(bundle);
      const script = only(files.flatMap((file) => (file.type === "chunk" ? [file] : [])));
      const style = only(assetsOf(files, ".css"));
      const page = only(assetsOf(files, ".html"));
      for (const name of Object.keys(bundle)) delete bundle[name];

      const html = page
        .replace(/\s*<link rel="stylesheet"[^>]*>/, "")
        .replace(/<script type="module"[^>]*><\/script>/, () => inline("style", style) + inline("script", script.code));
      const version = createHash("sha256").update(html).digest("hex").slice(0, 16);
      const values = { html, version, scriptHash: policyHash(script.code), styleHash: policyHash(style) };
      const lines = Object.entries(values).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`);
      this.emitFile({ type: "asset", fileName: "page.js", source: lines.join("") });
      const licenses = licensesOf(Object.keys(script.modules));
      this.emitFile({ type: "asset", fileName: "LICENSES.txt", source: licenses });
    },
  };
}

function assetsOf(files: readonly (Rolldown.OutputChunk | Rolldown.OutputAsset)[], extension: string): string[] {
  return files.flatMap((file) =>
    file.type === "asset" && file.fileName.endsWith(extension) ? [String(file.source)] : [],
  );
}

function only<File>(files: readonly File[]): File {
  const [file] = files;
  if (file === undefined || files.length > 1)
    throw new Error(`one page has one file of each kind, not ${files.length}`);
  return file;
}

/** An element with a text, which must not contain the end of the element. */
function inline(element: "script" | "style", text: string): string {
  if (text.toLowerCase().includes(`</${element}`)) throw new Error(`the ${element} contains its own end tag`);
  return element === "script" ? `<script type="module">${text}</script>` : `<style>${text}</style>`;
}

/** The hash by which a content security policy names an inline script or style. */
function policyHash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
