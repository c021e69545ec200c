// Generates clients in each language from the description of the package that npm would publish, compiles them, and runs
// their programs against `im-admin serve --demo` and against a server of a later version.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { laterServer } from "./later.mjs";

const openApiGenerator = "org.openapitools:openapi-generator-cli:7.25.0";
const openApiPythonClient = "openapi-python-client==0.29.1";
const schemathesis = "schemathesis==4.32.5";
const ogen = "github.com/ogen-go/ogen/cmd/ogen@v1.24.0";

/** What each program prints. */
const expected = `members 5000 1688059940000
owners 1 李伟
blacks 1 1687760000 Ada Harris
groups 301 Photography 300
requests 100 1689371420000 Sorry, we are full
accounts 4 Welcome 机器人
set 0
1001 1001 ArgsError: pagination.pageNumber must be an integer >= 1
1002 1002 NoPermissionError: the caller is no administrator
1004 user u404: [1004]RecordNotFoundError
1204 1204 DismissedAlreadyError: group 3222223142
1503 1503 TokenMalformedError
HTTP 413 1001 ArgsError: body must have at most 1048576 bytes
later 9007199254740991
later 1101 1101 LaterError
`;

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../../", import.meta.url));
/** What takes long to install or compile stays here between runs. */
const cache = process.env.CLIENTS_CACHE ?? join(homedir(), ".cache", "im-admin-clients");
const folder = mkdtempSync(join(tmpdir(), "im-admin-clients-"));
const open = join(folder, "open.json");
const closed = join(folder, "closed.json");
const cli = join(folder, "package", "dist", "adapters", "cli", "main.js");
const secret = "a secret of the clients";
const began = performance.now();

mkdirSync(cache, { recursive: true });
try {
  unpack();
  const generator = generatorOfMaven();
  const programs = {
    "openapi-fetch": typescript(),
    "hey-api": ["node", join(folder, "typescript", "heyApi.js")],
    "openapi-python-client": python(),
    "oapi-codegen": go(),
    "openapi-generator-java": java(generator),
    "openapi-generator-rust": rust(generator),
  };
  await runAll(programs);
} finally {
  rmSync(folder, { recursive: true });
}

/** Runs a program that must succeed, and returns what it prints. */
function run(command, args, options = {}) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", cwd: folder, ...options });
  if (status === 0) return stdout;
  throw error ?? new Error(`${command} ${args.join(" ")} failed:\n${stdout}${stderr}`);
}

function step(what) {
  say(`== ${Math.round((performance.now() - began) / 1000)} s: ${what}`);
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

function unpack() {
  run("npm", ["pack", root, "--ignore-scripts", "--silent"]);
  run("tar", ["-xf", run("sh", ["-c", "ls *.tgz"]).trim()]);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(open, imAdmin("openapi"));
  writeFileSync(closed, imAdmin("openapi", "--closed"));
}

function imAdmin(...args) {
  return run(process.execPath, [cli, ...args]);
}

/** Copies the programs of a language to a folder, where its client is generated. */
function project(language) {
  const to = join(folder, language);
  cpSync(join(here, language), to, { recursive: true });
  return to;
}

function typescript() {
  step("openapi-typescript, @hey-api/openapi-ts");
  const cwd = project("typescript");
  run("npm", ["install", "--silent", "--no-audit", "--prefer-offline", "--no-package-lock"], { cwd });
  const bin = join(cwd, "node_modules", ".bin");
  // @hey-api/openapi-ts reads it, to name the modules that it imports as Node does.
  const compilerOptions = {
    target: "es2022",
    module: "nodenext",
    strict: true,
    noUncheckedIndexedAccess: true,
    types: ["node"],
  };
  writeFileSync(join(cwd, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  run(join(bin, "openapi-typescript"), [closed, "--output", "interface.ts"], { cwd });
  run(join(bin, "openapi-typescript"), [open, "--output", "openInterface.ts"], { cwd });
  run(join(bin, "openapi-ts"), ["--input", closed, "--output", "heyApi", "--silent"], { cwd });
  run(join(bin, "openapi-ts"), ["--input", open, "--output", "openHeyApi", "--silent"], { cwd });
  run(join(bin, "tsc"), [], { cwd });
  return ["node", join(cwd, "fetch.js")];
}

function python() {
  step("openapi-python-client");
  const cwd = project("python");
  const bin = venv(openApiPythonClient);
  const args = ["generate", "--path", open, "--output-path", join(cwd, "im_admin_client"), "--meta", "none"];
  run(join(bin, "openapi-python-client"), args, { cwd });
  return [join(bin, "python"), join(cwd, "check.py")];
}

/** Returns the folder of the programs of a virtual environment, which is made for each package once. */
function venv(required) {
  const to = join(cache, required);
  const bin = join(to, "bin");
  if (!existsSync(join(to, "ready"))) {
    run("python3", ["-m", "venv", "--clear", to]);
    run(join(bin, "pip"), ["install", "--quiet", required]);
    writeFileSync(join(to, "ready"), "");
  }
  return bin;
}

function go() {
  step("oapi-codegen, ogen");
  const cwd = project("go");
  mkdirSync(join(cwd, "admin"));
  const args = ["-generate", "types,client", "-package", "admin", "-o", "admin/admin.gen.go", open];
  run("go", ["tool", "oapi-codegen", ...args], { cwd });
  run("go", ["build", "-o", "check", "."], { cwd });
  run("go", ["run", ogen, "--target", join(folder, "ogen"), "--package", "api", open]);
  return [join(cwd, "check")];
}

function generatorOfMaven() {
  const [, name, version] = openApiGenerator.split(":");
  const jar = join(cache, `${name}-${version}.jar`);
  if (!existsSync(jar))
    run("mvn", ["-q", "-B", "dependency:copy", `-Dartifact=${openApiGenerator}`, `-DoutputDirectory=${cache}`]);
  return (language, library, output, ...more) =>
    run("java", ["-jar", jar, "generate", "-i", open, "-g", language, "--library", library, "-o", output, ...more]);
}

function java(generate) {
  step("openapi-generator for Java");
  const cwd = project("java");
  generate("java", "okhttp-gson", join(cwd, "client"));
  run("mvn", ["-q", "-B", "dependency:build-classpath", "-Dmdep.outputFile=classpath"], { cwd: join(cwd, "client") });
  const classpath = `${readFileSync(join(cwd, "client", "classpath"), "utf8").trim()}:${join(cwd, "classes")}`;
  const sources = run("find", [cwd, "-name", "*.java", "-not", "-path", "*/src/test/*"]).trim().split("\n");
  run("javac", ["-nowarn", "-cp", classpath, "-d", join(cwd, "classes"), ...sources]);
  return ["java", "-cp", classpath, "Check"];
}

function rust(generate) {
  step("openapi-generator for Rust");
  const cwd = project("rust");
  const names = "packageName=im_admin_client,packageVersion=0.0.0";
  generate("rust", "reqwest", join(cwd, "im_admin_client"), `--additional-properties=${names}`);
  const target = join(cache, "rust");
  run("cargo", ["build", "--quiet"], { cwd, env: { ...process.env, CARGO_TARGET_DIR: target } });
  return [join(target, "debug", "check")];
}

async function runAll(programs) {
  const later = await laterServer();
  const db = join(folder, "demo.db");
  const admin = ["--secret", secret, "--admin", "imAdmin"];
  const demo = spawn(process.execPath, [
    cli,
    "serve",
    "--demo",
    "--port",
    "0",
    "--db",
    db,
    "--log-level",
    "silent",
    ...admin,
  ]);
  try {
    const url = await announced(demo);
    const token = imAdmin("token", ...admin).trim();
    const other = imAdmin("token", "--secret", secret, "--admin", "somebody").trim();
    for (const [name, [command, ...args]] of Object.entries(programs)) {
      step(`runs the client of ${name}`);
      const { stdout, stderr } = await output(command, [...args, url, later.url, token, other, `by-${name}`]);
      if (stdout !== expected) throw new Error(`${name} printed:\n${stdout}${stderr}`);
    }
    requireConversations(db, Object.keys(programs));
    requireNoFaults(url, token);
    step(`${Object.keys(programs).length} passed, 0 failed`);
  } finally {
    demo.kill();
    later.close();
  }
}

/** The URL that a server says it answers on. */
async function announced(server) {
  let text = "";
  for await (const part of server.stdout) {
    text += part;
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`im-admin serve ended: ${text}`);
}

/** What a program prints, while the servers of this process go on answering. */
function output(command, args) {
  const child = spawn(command, args, { cwd: folder });
  const written = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"])
    child[name].setEncoding("utf8").on("data", (text) => (written[name] += text));
  return new Promise((resolve, reject) => child.once("error", reject).once("close", () => resolve(written)));
}

/** Requires that each client has set the conversations of two users, and that nothing was lost on the way. */
function requireConversations(db, names) {
  const database = new Database(db, { readonly: true });
  const found = database
    .prepare(
      `SELECT conversation_id || ' ' || owner_user_id || ' ' || user_id || ' ' || is_pinned || ' ' || min_seq || ' ' || max_seq || ex
       FROM im_admin_conversations WHERE conversation_id LIKE 'by-%' ORDER BY conversation_id, owner_user_id`,
    )
    .pluck()
    .all();
  database.close();
  const wanted = names
    .toSorted()
    .flatMap((name) =>
      ["1000000007", "1003600005"].map((user) => `by-${name} ${user} 1001800006 1 9007199254740991 0`),
    );
  if (found.join("\n") !== wanted.join("\n")) throw new Error(`the clients have set:\n${found.join("\n")}`);
}

/** Sends what the description allows, and what it does not. A failure has the status 200, which three checks do not know. */
function requireNoFaults(url, token) {
  step("schemathesis");
  const unfit = "negative_data_rejection,ignored_auth,missing_required_header";
  const header = `token: ${token}`;
  const args = ["--max-examples", "40", "--seed", "1", "--exclude-checks", unfit, "--header", header];
  const printed = run(join(venv(schemathesis), "schemathesis"), ["run", open, "--url", url, ...args]);
  say(/Test cases:\n.*/.exec(printed)?.[0] ?? printed);
}
