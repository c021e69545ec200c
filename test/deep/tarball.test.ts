import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { root } from "../helpers/docs/pages.js";
import { packageJson, subpaths, useProject } from "./helpers/project.js";

/** Without the optional better-sqlite3. */
const { path, node } = useProject("--omit=optional");
const installed = path("node_modules", "im-admin");

it("installs these packages and no others", () => {
  const { packages } = JSON.parse(readFileSync(path("node_modules", ".package-lock.json"), "utf8"));
  expect(Object.keys(packages)).toEqual(["node_modules/im-admin", "node_modules/valibot"]);
});

it("has a command line that works, and the licences of what is bundled into it", () => {
  const bin = path("node_modules", ".bin", "im-admin");
  expect(node(bin, "--version")).toBe(`${packageJson.version}\n`);
  expect(node(bin, "token", "--secret", "s", "--admin", "a")).toMatch(/^ey\S+\n$/);
  const licenses = readFileSync(join(installed, "dist", "adapters", "cli", "LICENSES.txt"), "utf8");
  for (const name of ["@streamparser/json", "bson", "cli-progress", "commander", "ms", "pino", "sonic-boom"]) {
    expect(licenses).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\((MIT|Apache-2\\.0)\\)$`, "m"));
  }
  // What the command line shares with the library is there once.
  expect(licenses).not.toMatch(/valibot|better-sqlite3/);
});

it("has functions and a description of the interface that work, and the licence of what is bundled into that", () => {
  const program = `
    import { getBlackList } from "im-admin";
    import { createFetchHandler } from "im-admin/fetch";
    import { openApiDocument } from "im-admin/openapi";
    const store = { listBlacks: async () => ({ total: 0, items: [] }) };
    createFetchHandler({ store: () => store, authenticate() {} });
    const answer = await getBlackList(store, { userID: "u", pagination: { pageNumber: 1, showNumber: 1 } });
    console.log(JSON.stringify(answer), openApiDocument().openapi);`;
  expect(node("--input-type=module", "--eval", program)).toBe(
    '{"errCode":0,"errMsg":"","errDlt":"","data":{"blacks":[],"total":0}} 3.1.0\n',
  );
  const licenses = readFileSync(join(installed, "dist", "adapters", "openapi", "LICENSES.txt"), "utf8");
  expect(licenses).toMatch(/^@valibot\/to-json-schema \d+\.\d+\.\d+ \(MIT\)$/m);
  expect(licenses).not.toMatch(/^valibot /m);
});

it("lists the packages that are in it, and those that come along, in CycloneDX", () => {
  const sbom = JSON.parse(readFileSync(join(installed, "dist", "sbom.cdx.json"), "utf8"));
  expect(sbom).toMatchObject({ bomFormat: "CycloneDX", metadata: { component: { name: "im-admin" } } });
  interface Component {
    "bom-ref": string;
    purl: string;
    licenses: object[];
    hashes: object[];
    properties: { name: string; value: string }[];
  }
  const isBundled = ({ properties }: Component) => properties.some(({ name }) => name === "cdx:npm:package:bundled");
  const components: Component[] = sbom.components;
  const licensed = ["cli", "console", "openapi"].flatMap((bundle) => {
    const texts = readFileSync(join(installed, "dist", "adapters", bundle, "LICENSES.txt"), "utf8");
    return [...texts.matchAll(/(?:^|-{80}\n\n)(\S+) (\S+) \(.+\)\n/g)].map(([, name, version]) => `${name}@${version}`);
  });
  expect(licensed).toHaveLength(44);
  expect(
    components
      .filter(isBundled)
      .map((component) => component["bom-ref"])
      .sort(),
  ).toEqual(licensed.sort());
  const others = components.filter((component) => !isBundled(component)).map((component) => component["bom-ref"]);
  expect(others).toContainEqual(expect.stringMatching(/^valibot@/));
  expect(others).toContainEqual(expect.stringMatching(/^better-sqlite3@/));
  expect(others.join()).not.toMatch(/typescript|vitest|esbuild/);
  for (const { purl, licenses, hashes } of components) {
    expect([purl.startsWith("pkg:npm/"), licenses.length, hashes.length], purl).toEqual([true, 1, 1]);
  }
});

const strictest: ts.CompilerOptions = {
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  skipLibCheck: false,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  typeRoots: [join(root, "node_modules", "@types")],
};

/** Compiles a file for each subpath, which exports all of it. */
function compiled(imported: readonly string[], options: ts.CompilerOptions) {
  const files = imported.map((subpath, index) => {
    const file = path(`consumer${index}.ts`);
    writeFileSync(file, `export * from "${subpath}";`);
    return file;
  });
  return { files, program: ts.createProgram(files, { ...strictest, ...options }) };
}

const onNode = { lib: ["lib.es2022.d.ts"], types: ["node"] };

it.each([
  ["on Node", subpaths, onNode],
  [
    "without Node's types",
    subpaths.filter((subpath) => subpath !== "im-admin/node"),
    { lib: ["lib.es2022.d.ts", "lib.dom.d.ts"], types: [] },
  ],
])("has types that the strictest compiler takes %s, with no other package's types", (_, imported, options) => {
  const messages = ts.getPreEmitDiagnostics(compiled(imported, options).program).map(({ file, messageText }) => {
    return `${file?.fileName ?? ""}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
  expect(messages).toEqual([]);
});

it("exports, with what takes options, every type that the options name", () => {
  const { files, program } = compiled(subpaths, onNode);
  const missing = files.flatMap((file, index) => {
    const exported = exportsOf(program, file);
    return exported
      .filter(({ name }) => name.endsWith("Options"))
      .flatMap((options) => typesNamedIn(program, options))
      .filter((type) => !exported.includes(type))
      .map(({ name }) => `${subpaths[index]}: ${name}`);
  });
  expect([...new Set(missing)]).toEqual([]);
});

it("promises in its types no value that is not there", () => {
  // Only their own runtimes can import these.
  const present = subpaths.filter((subpath) => !["im-admin/bun-sqlite", "im-admin/node-sqlite"].includes(subpath));
  const { files, program } = compiled(present, onNode);
  const promised = files.map((file, index) => {
    const values = exportsOf(program, file).filter(({ flags }) => flags & ts.SymbolFlags.Value);
    return [present[index], values.map(({ name }) => name).sort()];
  });
  const names = present.map((subpath) => `["${subpath}", Object.keys(await import("${subpath}")).sort()]`);
  // Where better-sqlite3 and itty-router are.
  const flags = ["--input-type=module", "--eval", `console.log(JSON.stringify([${names.join()}]))`];
  const found = execFileSync(process.execPath, flags, { cwd: root, encoding: "utf8" });
  expect(promised).toEqual(JSON.parse(found));
});

/** What a module exports, each as it is where it is declared. */
function exportsOf(program: ts.Program, file: string): ts.Symbol[] {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  return module ? checker.getExportsOfModule(module).map((symbol) => declared(checker, symbol)) : [];
}

function declared(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** The types of ours that the declaration of a type names. */
function typesNamedIn(program: ts.Program, type: ts.Symbol): ts.Symbol[] {
  const checker = program.getTypeChecker();
  const named: ts.Symbol[] = [];
  function visit(node: ts.Node): void {
    const symbol = ts.isTypeReferenceNode(node) ? checker.getSymbolAtLocation(node.typeName) : undefined;
    if (symbol !== undefined) named.push(declared(checker, symbol));
    ts.forEachChild(node, visit);
  }
  for (const declaration of type.declarations ?? []) visit(declaration);
  const isOurs = ({ flags, declarations = [] }: ts.Symbol) =>
    !(flags & ts.SymbolFlags.TypeParameter) &&
    declarations.some((declaration) => declaration.getSourceFile().fileName.startsWith(installed));
  return named.filter(isOurs);
}
