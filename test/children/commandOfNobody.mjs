// Runs a command of the command line as a user who may write only what everybody may; prints as the command line does.
import BetterSqlite3 from "better-sqlite3";

const commands = { check: "checkCommand", import: "importCommand", serve: "serveCommand" };
const [name, ...flags] = process.argv.slice(2);
const built = new URL("../../dist/", import.meta.url);
// All code is loaded while this process may read all files.
const exported = await import(new URL(`adapters/cli/${name}.js`, built).href);
for (const module of ["betterSqlite3", "fileDatabase"])
  await import(new URL(`src/stores/drivers/${module}.js`, built).href);
new BetterSqlite3(":memory:").close();

// Nothing is forbidden to root; 65534 is nobody.
if (process.getuid() === 0) process.setuid(65_534);
try {
  await exported[commands[name]]().parseAsync(flags, { from: "user" });
} catch (error) {
  process.stderr.write(`im-admin: ${error.message}\n`);
  process.exitCode = 1;
}
