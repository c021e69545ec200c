/** What stands under the path of a database, looked at without SQLite, and without opening a file that exists. */
import { accessSync, closeSync, constants, openSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** SQLite never takes a full path for an address with options, and it stays right when the working folder changes. */
export function fullPath(given: string): string {
  const path = given.trim();
  return path === inMemory ? path : resolve(path);
}

export const inMemory = ":memory:";

/**
 * Requires a file that can be read.
 *
 * @throws Error that says what is in the way
 */
export function requireReadable(path: string): void {
  const stats = statsOf(path);
  if (stats === undefined) throw new Error("there is no such file");
  if (stats.isDirectory()) throw new Error("it is a folder: name a file in it, such as im.db");
  if (!stats.isFile()) throw new Error("it is no regular file");
  if (!isAllowed(path, constants.R_OK)) throw new Error("this user may not read it");
}

/**
 * Requires a file that can be written, and a folder in which SQLite can keep its log beside the file.
 *
 * @throws Error that says what is in the way
 */
export function requireWritable(path: string): void {
  requireReadable(path);
  if (!isWritable(path)) throw new Error("it is read-only for this user: allow writing");
  requireWritableFolder(dirname(realpathSync(path)));
}

/**
 * Makes an empty file where there is none, which only its owner may read and write: it is to hold personal data. SQLite
 * gives the files beside it the same rights. A file that exists keeps its own.
 *
 * @throws Error that says what is in the way
 */
export function makeFile(path: string): void {
  if (statsOf(path) !== undefined) return;
  const folder = dirname(path);
  const stats = statsOf(folder);
  if (stats === undefined) throw new Error(`there is no folder ${folder}: make it first`);
  if (!stats.isDirectory()) throw new Error(`${folder} is no folder`);
  try {
    // An existing file is never opened here: to close it would end the locks that SQLite has on it in this process.
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST") {
      requireWritableFolder(folder);
      throw error;
    }
    // Where nothing is found, a symbolic link leads to no file yet; otherwise another process was faster.
    if (statsOf(path) === undefined) makeFile(targetOf(path));
  }
}

function targetOf(link: string): string {
  return resolve(dirname(link), readlinkSync(link));
}

function requireWritableFolder(folder: string): void {
  if (!isWritable(folder)) throw new Error(`this user may not write its folder ${folder}, as SQLite has to`);
}

export function isWritable(path: string): boolean {
  return isAllowed(path, constants.W_OK);
}

function isAllowed(path: string, access: number): boolean {
  try {
    accessSync(path, access);
    return true;
  } catch (error) {
    // Anything else, such as a runtime that does not let us ask, is for SQLite to find out.
    return !["EACCES", "EPERM", "EROFS"].includes(String((error as NodeJS.ErrnoException).code));
  }
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
