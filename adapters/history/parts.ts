import { readdir, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";

/** The path of a part of a history: FILE is the first one, and FILE.1 the second. */
export function partPath(path: string, number: number): string {
  return number === 0 ? path : `${path}.${number}`;
}

/** The numbers of the parts that are there, in their order. */
export async function partNumbers(path: string): Promise<number[]> {
  const name = basename(path);
  const numbers = (await readdir(dirname(path))).flatMap((entry) => {
    if (entry === name) return 0;
    const [, number] = /^\.([1-9]\d{0,8})$/.exec(entry.startsWith(name) ? entry.slice(name.length) : "") ?? [];
    return number === undefined ? [] : Number(number);
  });
  return numbers.sort((left, right) => left - right);
}

/** How many bytes a file has; 0 if there is none. It fails for a pipe or a device, which may let a reader wait for ever. */
export async function bytesOf(path: string): Promise<number> {
  try {
    const found = await stat(path);
    if (!found.isFile()) throw new Error("it is no file");
    return found.size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return 0;
    throw error;
  }
}
