import { type Block, pages } from "./pages.js";

/** What a reader gets who copies a block, and those that continue it, into a file. */
export interface Program {
  place: string;
  code: string;
  /** The lines that it prints by its own account; none where it only has to be accepted by the compiler. */
  prints: string[];
}

/** The programs of all pages. Excerpts, which name things that the reader has, are none, and recipes have their own tests. */
export function programs(): Program[] {
  const others = pages.filter(({ path }) => path !== "docs/recipes.md");
  return others.flatMap(({ blocks }) => {
    const found: { place: string; blocks: Block[]; prints: string[] }[] = [];
    for (const [index, block] of blocks.entries()) {
      if (block.language !== "ts" || block.flag === "excerpt") continue;
      const next = blocks[index + 1];
      const prints = [...printedLines(block.code), ...(next?.language === "json" ? [oneLine(next.code)] : [])];
      const last = found.at(-1);
      if (block.flag === "continued" && last !== undefined) {
        last.blocks.push(block);
        last.prints.push(...prints);
      } else {
        found.push({ place: block.place, blocks: [block], prints });
      }
    }
    return found.map(({ place, blocks, prints }) => ({ place, code: joined(blocks), prints }));
  });
}

function printedLines(code: string): string[] {
  return [...code.matchAll(/^\/\/ prints: (.*)$/gm)].map(([, line = ""]) => line);
}

function oneLine(json: string): string {
  return JSON.stringify(JSON.parse(json));
}

const imports = /^import [^;]*;\n/gm;

/** One module: each block that continues another has names of its own. */
function joined([first, ...others]: readonly Block[]): string {
  const imported = others.flatMap(({ code }) => code.match(imports) ?? []);
  const scopes = others.map(({ code }) => `{\n${code.replaceAll(imports, "")}}\n`);
  return [...imported, first?.code ?? "", ...scopes].join("");
}
