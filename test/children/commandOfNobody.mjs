// Runs a command of the command line as a user who may write only what everybody may; prints as the command line does.

const [commands, name, ...flags] = process.argv.slice(2);
// All code is loaded while this process may read all files.
const { [`${name}Command`]: command, ...modules } = await import(commands);
await Promise.all(Object.values(modules).map((load) => load.name.startsWith("load") && load()));

// Nothing is forbidden to root; 65534 is nobody.
if (process.getuid() === 0) process.setuid(65_534);
try {
  await command().parseAsync(flags, { from: "user" });
} catch (error) {
  process.stderr.write(`im-admin: ${error.message}\n`);
  process.exitCode = 1;
}
