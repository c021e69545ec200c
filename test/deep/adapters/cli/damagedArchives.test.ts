/** Files of gzip in any number of parts: whole files are read, and of damaged ones nothing that is wrong. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { readChunks } from "../../../../adapters/cli/import/readChunks.js";
import { randomOf, rounds, seed } from "../../../helpers/chance.js";
import { start } from "../../../helpers/cliProcess.js";
import { temporaryFolder } from "../../../helpers/stores.js";
import { residentBytes } from "../../helpers/residentBytes.js";

/** What is read of a file with these bytes; undefined if they are refused. */
function unpacked(path: string, bytes: Uint8Array): Buffer | undefined {
  writeFileSync(path, bytes);
  try {
    return Buffer.concat([...readChunks(path, () => {})]);
  } catch (error) {
    expect(String(error)).toMatch(/^Error: it cannot be unpacked: /);
    return undefined;
  }
}

it("reads whole files, and never anything else than was packed", { timeout: 600_000 }, () => {
  const path = join(temporaryFolder(), "user.bson.gz");
  const random = randomOf(seed);
  const upTo = (most: number) => Math.floor(random() * most);
  for (let round = 0; round < rounds(1_000); round++) {
    const texts = Array.from({ length: 1 + upTo(4) }, () => {
      const range = 1 + upTo(256);
      return Buffer.from(Array.from({ length: upTo(random() < 0.2 ? 60_000 : 300) }, () => upTo(range)));
    });
    const parts = texts.map((text) => gzipSync(text, { level: upTo(10) }));
    const whole = Buffer.concat(parts);
    const text = Buffer.concat(texts);
    expect(unpacked(path, whole)?.equals(text)).toBe(true);

    const flipped = Buffer.from(whole);
    const place = upTo(whole.length);
    flipped.writeUInt8(flipped.readUInt8(place) ^ (1 << upTo(8)), place);
    // Some bytes of a header mean nothing, such as its time.
    const read = unpacked(path, flipped);
    expect(read === undefined || read.equals(text)).toBe(true);

    const cut = whole.subarray(0, -1 - upTo((parts.at(-1)?.length ?? 0) - 1));
    expect(unpacked(path, cut)).toBeUndefined();
    const longer = Buffer.concat([whole, Buffer.from(Array.from({ length: 1 + upTo(20) }, () => upTo(256)))]);
    expect(unpacked(path, longer)).toBeUndefined();
    const swapped = Buffer.concat([...parts.slice(0, -1), whole.subarray(-8), parts.at(-1) ?? whole]);
    if (parts.length > 1) expect(unpacked(path, swapped)).toBeUndefined();
  }
});

it("ends early, and with little memory, at a small file that becomes a large one", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "users.json.gz"), gzipSync(Buffer.alloc(500_000_000, `{"userID":"`), { level: 1 }));
  const { pid, ended } = start(["import", folder, "--db", ":memory:"]);
  let most = 0;
  const watch = setInterval(() => {
    // A process that has just ended has no memory.
    most = Math.max(most, residentBytes(pid) || 0);
  }, 5);
  const { status, stderr } = await ended.finally(() => clearInterval(watch));
  expect([status, stderr.replaceAll(folder, "FOLDER").split("\n")[0]]).toEqual([
    1,
    "FOLDER/users.json.gz:1: is longer than 128 MiB, and nothing after it can be read",
  ]);
  expect(most).toBeLessThan(600_000_000);
});
