import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import ts from "typescript";
import { onTestFinished } from "vitest";
import { type Block, inEnglish, root } from "./pages.js";

/** What a reader gets who copies a block, and those that continue it, into a file. */
export interface Program {
  place: string;
  code: string;
  /** The lines that it prints by its own account; none where it only has to be accepted by the compiler. */
  prints: string[];
}

/** The programs of all pages. Excerpts, which name things that the reader has, are none, and recipes have their own tests. */
export function programs(): Program[] {
  const others = inEnglish.filter(({ path }) => path !== "docs/recipes.md");
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

/** Programs as a strict compiler sees them. */
export interface Compilation {
  program: ts.Program;
  /** What it finds wrong with them. */
  mistakes: string[];
}

/** Compiles programs in a folder; `paths` say where the compiler finds modules. */
export function compile(
  programs: readonly (Pick<Program, "place" | "code"> & { language?: string })[],
  folder: string,
  paths: ts.MapLike<string[]> = {},
): Compilation {
  const files = programs.map(({ code, language = "ts" }, index) => {
    const file = `${folder}/program${index}.${language}`;
    writeFileSync(file, code);
    return file;
  });
  const program = ts.createProgram(files, {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noImplicitOverride: true,
    noEmit: true,
    jsx: ts.JsxEmit.ReactJSX,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    skipLibCheck: true,
    types: ["node"],
    paths,
  });
  const mistakes = files.flatMap((file, index) =>
    ts.getPreEmitDiagnostics(program, program.getSourceFile(file)).map(({ messageText }) => {
      return `${programs[index]?.place}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
    }),
  );
  return { program, mistakes };
}

/** Where the sources of what the package exports are: its declarations are not built for each run of the tests. */
export function sourcePaths(): ts.MapLike<string[]> {
  const { exports } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
  const built = Object.entries<{ default: string }>(exports);
  return Object.fromEntries(
    built.map(([subpath, { default: file }]) => [
      subpath.replace(".", "im-admin"),
      [file.replace("./dist/", root).replace(/js$/, "ts")],
    ]),
  );
}

/** Runs programs one after the other in one process, each in a folder of its own, and gives what each has printed. */
export function outputsOf(programs: readonly Program[]): string[] {
  const folder = packageFolder();
  const end = "the end of a program";
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 };
  const imports = programs.map(({ code }, index) => {
    mkdirSync(`${folder}/${index}`);
    writeFileSync(`${folder}/${index}/program.mjs`, ts.transpileModule(code, { compilerOptions }).outputText);
    return `process.chdir("${folder}/${index}");
      await import("${folder}/${index}/program.mjs").catch(console.log);
      console.log("${end}");`;
  });
  const flags = ["--input-type=module", "--eval", imports.join("\n")];
  return execFileSync(process.execPath, flags, { encoding: "utf8" }).split(`${end}\n`).slice(0, -1);
}

/** An empty folder inside the package, from which programs can import it by its name. */
export function packageFolder(parent = root): string {
  const folder = mkdtempSync(`${parent}.docs-`);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
