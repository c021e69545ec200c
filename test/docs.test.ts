import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { transform } from "esbuild";
import ts from "typescript";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openApiDocument } from "../adapters/openapi/index.js";
import { functions } from "../adapters/openapi/operations.js";
import { codes } from "../src/answers/codes.js";
import { defaultLimits, errorCodes } from "../src/index.js";
import { openSqliteStore } from "../src/stores/drivers/sqlite.js";
import { imAdmin } from "./helpers/cliProcess.js";
import { runConsole } from "./helpers/docs/console.js";
import { docstringsFile } from "./helpers/docs/docstrings.js";
import { blocksIn, pageAt, pages, prose, root } from "./helpers/docs/pages.js";
import { compile, outputsOf, packageFolder, programs, sourcePaths } from "./helpers/docs/programs.js";
import { filterings, filtersIn, listMethods } from "./helpers/filters.js";
import { temporaryFolder } from "./helpers/stores.js";

it("has a README of at most 9,000 bytes", () => {
  expect(Buffer.byteLength(pageAt("README.md").text)).toBeLessThanOrEqual(9_000);
});

describe("programs", () => {
  it("of the README run as they stand in a file .mjs", async () => {
    for (const { code } of pageAt("README.md").blocks.filter(({ language }) => language === "ts")) {
      await transform(code, { loader: "js", format: "esm" });
    }
  });

  it("are accepted by a strict compiler, which finds the docstrings of the description of the interface", async () => {
    const { mistakes, program } = compile(programs(), packageFolder(), sourcePaths());
    expect(mistakes).toEqual([]);
    await expect(docstringsFile(program)).toMatchFileSnapshot("../adapters/openapi/docstrings.json");
  });

  it("print what their pages say", () => {
    const printing = programs().filter(({ prints }) => prints.length > 0);
    const outputs = outputsOf(printing).map((output, index) => [printing[index]?.place, output]);
    expect(outputs).toEqual(printing.map(({ place, prints }) => [place, `${prints.join("\n")}\n`]));
  });

  const excerpts = blocksIn("ts", "js").filter(({ language, flag }) => language === "js" || flag === "excerpt");
  it.each(excerpts)("can be parsed: $place", ({ code }) => {
    const { diagnostics = [] } = ts.transpileModule(code, { reportDiagnostics: true });
    expect(diagnostics.map(({ messageText }) => messageText)).toEqual([]);
  });

  it.each(pages.flatMap(({ blocks }) => blocks).filter(({ file }) => file !== undefined))(
    "are those of the file: $place",
    ({ code, file }) => {
      expect(code).toBe(readFileSync(root + file, "utf8"));
    },
  );
});

describe("what codes mean", () => {
  const meanings = Object.entries(codes).map(([field, words]): [string, string[]] => [
    field,
    Object.entries(words).map(([code, word]) => `${code} ${word}`),
  ]);

  it.each(meanings)("is said with the same words everywhere: %s", (field, words) => {
    const row = pageAt("docs/functions.md")
      .text.split("\n")
      .find((line) => line.startsWith("| `") && line.split("|")[1]?.includes(`\`${field}\``) && /\d /.test(line));
    const said = row?.split("|")[2]?.trim().split(", ") ?? [];
    expect(said.toSorted()).toEqual(words.toSorted());

    const { schemas = {} } = openApiDocument().components;
    const described = Object.values(
      schemas as Record<string, { properties?: Record<string, { description?: string }> }>,
    ).map(({ properties }) => properties?.[field]?.description);
    for (const word of words) expect(described.join(" ")).toContain(word);
  });
});

describe("commands", () => {
  it.each(blocksIn("console"))("print what $place says", ({ code }) => {
    expect(runConsole(code)).toBe(code);
  });

  it.each(blocksIn("sh"))("can be parsed: $place", ({ code }) => {
    execFileSync("sh", ["-n"], { input: code });
  });

  it.each(["serve", "token", "import", "export", "copy", "check", "tables", "openapi"])(
    "%s has the flags that docs/command-line.md names",
    async (command) => {
      const { stdout } = await imAdmin([command, "--help"]);
      const flags = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag]) => flag);
      const { text } = pageAt("docs/command-line.md");
      const section = text.split(/^## /m).find((section) => section.startsWith(`${command}\n`)) ?? "";
      const named = [...section.matchAll(/`(?:im-admin [^`]*)?(--[\w-]+)[^`]*`/g)].map(([, flag]) => flag);
      const common = ["--help", "--version"];
      expect([...new Set([...named, ...common])].sort()).toEqual([...new Set([...flags, ...common])].sort());
    },
  );
});

it("docs/operations.md makes a backup that is right, while the file is open", async () => {
  const path = `${temporaryFolder()}/im.db`;
  const store = openSqliteStore({ path });
  onTestFinished(() => store.close());
  await store.put({ users: [{ userID: "news", nickname: "News", appMangerLevel: 3 }] });
  const [, statement = ""] = /sqlite3 \S+ "(VACUUM INTO) '/.exec(pageAt("docs/operations.md").text) ?? [];
  const connection = new BetterSqlite3(path);
  connection.prepare(`${statement} ?`).run(`${path}.backup`);
  connection.close();
  expect((await imAdmin(["check", "--db", `${path}.backup`])).stderr).toContain("all lists agree with the rows");
  const backup = openSqliteStore({ path: `${path}.backup` });
  onTestFinished(() => backup.close());
  expect(await backup.listNotificationAccounts({ keyword: "", offset: 0, limit: 1 })).toMatchObject({ total: 1 });
});

describe("the messages that pages name are those of the code, or of others", () => {
  const code = ["src", "adapters"].flatMap((folder) =>
    readdirSync(root + folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => readFileSync(`${root}${folder}/${file}`, "utf8").replaceAll(/\$\{[^}]*\}/g, "...")),
  );

  it.each([
    [
      "docs/operations.md",
      { from: "| `err.message` contains", to: "- After a 500" },
      ["connect ECONNREFUSED", "database is locked", "timeout exceeded when trying to connect"],
    ],
    [
      "docs/troubles.md",
      { from: "| you see", to: "## Containers" },
      [
        ...["Cannot find module 'im-admin/fetch' or its corresponding type declarations", "ERR_REQUIRE_ESM"],
        ...["gyp ERR!", "node-gyp", "require() of ES Module"],
      ],
    ],
  ])("%s", (page, { from, to }, foreign) => {
    const { text } = pageAt(page);
    const rows = text.slice(text.indexOf(from), text.indexOf(to)).split("\n").slice(2);
    const messages = rows
      .flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)])
      // A code and the name of a failure stand before what is said of it.
      .map(([, said = ""]) => said.replace(/^\d{4} (\w+: )?/, ""));
    expect(messages.length).toBeGreaterThan(8);
    const unknown = messages.filter((message) => !code.some((file) => file.includes(message)));
    expect(unknown.toSorted()).toEqual(foreign);
  });
});

describe("pages in Chinese", () => {
  const other = (path: string) => path.replace(/\.zh-CN\.md/, ".md");

  /** Where the links lead, to pages in either language. Those within a page follow from its headings. */
  function links(text: string): string[] {
    const targets = [...prose(text).matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => other(target));
    return [...new Set(targets.filter((target) => !target.startsWith("#")))].toSorted();
  }

  const levels = (text: string) => [...prose(text).matchAll(/^#+(?= )/gm)].map(([level]) => level);
  const commands = (text: string) =>
    [...text.matchAll(/^ *```(\w*).*?^ *```/gms)].filter(([, language]) => language !== "text").map(([block]) => block);

  const translated = pages.filter(({ path }) => path !== other(path));
  it("are two", () => expect(translated.map(({ path }) => path)).toEqual(["README.zh-CN.md", "docs/openim.zh-CN.md"]));

  it.each(translated)("$path has the headings, commands and links of the page in English", ({ path, text }) => {
    const english = pageAt(other(path)).text;
    expect(levels(text)).toEqual(levels(english));
    expect(commands(text)).toEqual(commands(english));
    const itself = other(path).split("/").at(-1);
    expect(links(text)).toEqual(
      links(english)
        .filter((target) => target !== itself)
        .concat(itself ?? "")
        .toSorted(),
    );
  });
});

describe("tables", () => {
  const { text } = pageAt("docs/functions.md");

  it("have the limits with their defaults", () => {
    const rows = [...text.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, name = "", value]) => [name, Number(value)]);
    expect(Object.fromEntries(rows)).toEqual(defaultLimits);
  });

  it.each(functions)("have each field of the input of $name", ({ name, input }) => {
    const [section = ""] = pageAt("docs/functions.md").text.split(`\n## ${name}\n`).slice(1);
    const [introduction = ""] = section.split("```");
    const fields = inputFields(input(defaultLimits));
    expect(fields.filter((field) => !introduction.includes(`\`${field}\``))).toEqual([]);
    expect(fields).not.toEqual([]);
  });

  it.each(listMethods)("have each filter of a store's %s", (method) => {
    const row =
      pageAt("docs/stores.md")
        .text.split("\n")
        .find((line) => line.startsWith(`| \`${method}({ `)) ?? "";
    const filters = [...new Set(filterings(method).flatMap((query) => filtersIn(method, query)))];
    expect([row !== "", filters.filter((filter) => !row.includes(filter))]).toEqual([true, []]);
  });

  it("have the error codes", () => {
    const rows = [...text.matchAll(/^\| (\d+) \| (\w+) \|/gm)].map(([, code, name = ""]) => [name, Number(code)]);
    expect(Object.fromEntries(rows)).toEqual(errorCodes);
  });

  it.each([
    ["bench", "sqlite", 1],
    ["bench-postgres", "postgres", 2],
    ["bench-hosts", "hosts", undefined],
  ])("of docs/performance.md at %s are those of the result, and name its commit", (marker, name, mostMilliseconds) => {
    const result = readFileSync(`${root}bench/results/${name}.md`, "utf8");
    const [, commit] = /^commit: "(.+)"$/m.exec(result) ?? [];
    const [, shown = ""] = /^## In docs\/performance.md\n\n(.*?)\n\n## /ms.exec(result) ?? [];
    expect(shown).toContain(`Measured on commit ${commit}, `);
    expect(pageAt("docs/performance.md").text).toContain(`<!-- ${marker}:start -->\n${shown}\n<!-- ${marker}:end -->`);

    // The README says how long a page takes.
    if (mostMilliseconds === undefined) return;
    const times = [...shown.matchAll(/^\| [^|]+ \| ([\d.]+) (µs|ms) \|/gm)];
    expect(times).toHaveLength(3);
    for (const [, time, unit] of times)
      expect(Number(time) / (unit === "ms" ? 1 : 1000)).toBeLessThan(mostMilliseconds);
  });
});

describe("links", () => {
  let packed: readonly string[];
  beforeAll(() => {
    const flags = ["pack", "--dry-run", "--json", "--ignore-scripts", "--loglevel=error"];
    const [tarball] = JSON.parse(execFileSync("npm", flags, { cwd: root, encoding: "utf8" }));
    packed = tarball.files.map(({ path }: { path: string }) => path);
  });

  it.each(pages)("of $path lead somewhere, and to files of the package", ({ path, text }) => {
    const targets = [...prose(text).matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target);
    const dead = targets.filter((target) => {
      if (/^https:/.test(target)) return false;
      const [file = "", anchor] = target.split("#");
      const found = file === "" ? path : join(dirname(path), file);
      if (!packed.some((name) => name === found || name.startsWith(`${found}/`))) return true;
      return anchor !== undefined && !anchorsOf(found).includes(anchor);
    });
    expect(dead).toEqual([]);
  });
});

describe("secrets and tokens", () => {
  // A text after `??` or `||`, or after the `:-` of a shell.
  const fallback = /(?:secret|token|password)\w*\W{0,2}\s*(?:(?:\?\?|\|\|)\s*["'`][^"'`]|:[-=][^}])/i;

  it("would be found where one falls back to another that everybody knows", () => {
    expect('process.env.IM_ADMIN_SECRET ?? "change me"').toMatch(fallback);
    expect('process.env["TOKEN"] || `secret`').toMatch(fallback);
    expect("IM_ADMIN_SECRET:-change-me").toMatch(fallback);
    expect('process.env.IM_ADMIN_SECRET ?? ""').not.toMatch(fallback);
  });

  const files = readdirSync(`${root}examples`, { recursive: true, encoding: "utf8" }).map((path) => `examples/${path}`);
  it.each([...pages.map(({ path }) => path), ...files.filter((path) => /\.[a-z]+$/.test(path))])(
    "of %s have no such fallback",
    (path) => expect(readFileSync(root + path, "utf8")).not.toMatch(fallback),
  );
});

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(path: string): string[] {
  if (!path.endsWith(".md") || !existsSync(root + path)) return [];
  const { text } = pageAt(path);
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** The fields of an input with their paths, as its table names them. A page is described once for all operations. */
function inputFields(schema: object): string[] {
  const { entries = {} } = schema as { entries?: Record<string, object> };
  return Object.entries(entries).flatMap(([field, inner]) => {
    const nested = field === "pagination" ? [] : inputFields(inner);
    return nested.length === 0 ? [field] : nested.map((name) => `${field}.${name}`);
  });
}
