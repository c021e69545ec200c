// Runs lines of the command line as a user who may write only what everybody may; prints how each of them has ended.
const [modules, lines] = process.argv.slice(2);
// All code is loaded while this process may read all files.
const { loadDatabase, loadEngine, runCommandLine } = await import(modules);
await Promise.all([loadDatabase(), loadEngine()]);

// Nothing is forbidden to root; 65534 is nobody.
if (process.getuid() === 0) process.setuid(65_534);
const ended = [];
const print = process.stdout.write.bind(process.stdout);
for (const args of JSON.parse(lines)) {
  const written = { stdout: "", stderr: "" };
  for (const output of ["stdout", "stderr"]) process[output].write = (text) => (written[output] += text);
  process.exitCode = 0;
  await runCommandLine(args, "0.0.0");
  ended.push({ status: process.exitCode, ...written });
}
process.exitCode = 0;
print(JSON.stringify(ended));
