import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { LineWriter } from "../../../adapters/cli/lineWriter.js";
import { temporaryFolder } from "../../helpers/stores.js";

/** A writer to a file, and the numbers of dropped lines that it reports. */
function fileWriter(path = join(temporaryFolder(), "log")) {
  const fileDescriptor = openSync(path, "w");
  onTestFinished(() => closeSync(fileDescriptor));
  const dropped: number[] = [];
  const writer = new LineWriter(fileDescriptor, (count) => dropped.push(count));
  return { path, writer, dropped };
}

it("writes all lines in their order", async () => {
  const { path, writer, dropped } = fileWriter();
  const lines = Array.from({ length: 100_000 }, (_, index) => `${index} é\n`);
  for (const line of lines) writer.write(line);
  await writer.flush(10_000);
  expect(readFileSync(path, "utf8")).toBe(lines.join(""));
  expect(dropped).toEqual([]);
});

it("keeps 1 MiB of waiting lines at most, and reports once how many it has dropped", async () => {
  const { path, writer, dropped } = fileWriter();
  // The writer sends the first line at once, and 1,024 lines wait.
  for (let count = 0; count < 100_000; count += 1) writer.write(`${"x".repeat(1023)}\n`);
  await writer.flush(10_000);
  expect(readFileSync(path)).toHaveLength(1025 * 1024);
  expect(dropped).toEqual([100_000 - 1025]);
});

it("writes the line about dropped lines", async () => {
  const path = join(temporaryFolder(), "log");
  const fileDescriptor = openSync(path, "w");
  onTestFinished(() => closeSync(fileDescriptor));
  const writer = new LineWriter(fileDescriptor, (count) => writer.write(`${count} dropped\n`));
  for (const size of [1, 1_000_000, 100_000, 200_000]) writer.write(`${"x".repeat(size - 1)}\n`);
  await writer.flush(10_000);
  const lines = readFileSync(path, "utf8").split("\n");
  expect(lines.map((line) => line.replace(/^x+/, (found) => `${found.length}`))).toEqual([
    "",
    "999999",
    "2 dropped",
    "",
  ]);
});

it("goes on when a reader comes back", async () => {
  const path = join(temporaryFolder(), "log");
  execFileSync("mkfifo", [path]);
  const openReader = () => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const gone = openReader();
  const { writer, dropped } = fileWriter(path);
  closeSync(gone);
  writer.write("a\n");
  writer.write("b\n");
  await writer.flush(10_000);
  expect(dropped).toEqual([]);
  const reader = openReader();
  onTestFinished(() => closeSync(reader));
  writer.write("c\n");
  await writer.flush(10_000);
  const bytes = Buffer.alloc(10);
  expect(bytes.toString("utf8", 0, readSync(reader, bytes))).toBe("c\n");
  expect(dropped).toEqual([2]);
});
