import ts from "typescript";

/** Compiles programs beside their sources, and returns what the compiler complains of. */
export function compile(files: readonly string[], options: ts.CompilerOptions = {}): string[] {
  const compiled = ts.createProgram(files, {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    ...options,
  });
  compiled.emit();
  return ts.getPreEmitDiagnostics(compiled).map(({ file, messageText }) => {
    return `${file?.fileName ?? ""}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
}
