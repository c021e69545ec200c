import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../../", import.meta.url));

/** A page of the documentation that is published with the package. */
export interface Page {
  /** Its path in the repository. */
  path: string;
  text: string;
  blocks: Block[];
}

/** A fenced block of code. */
export interface Block {
  /** Where it is, such as `docs/http.md:28`. */
  place: string;
  language: string;
  /** What stands behind the language: `continued` or `excerpt`. */
  flag: string;
  code: string;
  /** The file of the repository that the block is said to show, by a comment before it. */
  file?: string;
}

const fenced = /(?:<!-- file: (\S+) -->\n)?^```(\w*) ?(\w*)\n(.*?)^```$/gms;

export const pages: readonly Page[] = [
  ...["README.md", "README.zh-CN.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"],
  ...readdirSync(`${root}docs`)
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
  ...readdirSync(`${root}examples`).map((name) => `examples/${name}/README.md`),
].map((path) => {
  const text = readFileSync(root + path, "utf8");
  return { path, text, blocks: blocksOf(path, text) };
});

/** The pages that are in English. The others have the same blocks. */
export const inEnglish = pages.filter(({ path }) => !path.includes(".zh-CN."));

/** The blocks of all pages in some languages. */
export function blocksIn(...languages: string[]): Block[] {
  return inEnglish.flatMap(({ blocks }) => blocks.filter(({ language }) => languages.includes(language)));
}

/** The code of the first block of a page that contains a text. */
export function blockIn(path: string, part: string): string {
  const block = pageAt(path).blocks.find(({ code }) => code.includes(part));
  if (block === undefined) throw new Error(`${path} has no block with ${part}`);
  return block.code;
}

export function pageAt(path: string): Page {
  const page = pages.find((candidate) => candidate.path === path);
  if (page === undefined) throw new Error(`there is no page ${path}`);
  return page;
}

function blocksOf(path: string, text: string): Block[] {
  return [...text.matchAll(fenced)].map(({ index, 1: file, 2: language = "", 3: flag = "", 4: code = "" }) => ({
    place: `${path}:${text.slice(0, index).split("\n").length}`,
    language,
    flag,
    code,
    ...(file !== undefined && { file }),
  }));
}

/** A page without its code, in which nothing is a link or a heading. */
export function prose(text: string): string {
  return text.replaceAll(fenced, "").replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]()]/g, " "));
}
