/** Checks the path of a database without SQLite, and without opening an existing file. */
import { accessSync, closeSync, constants, openSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** A full path. SQLite never takes it for a URI with options, and it stays right if the working folder changes. */
export function fullPath(given: string): string {
  const path = given.trim();
  return path === inMemory ? path : resolve(path);
}

export const inMemory = ":memory:";

/**
 * Requires a file that can be read.
 *
 * @throws Error that says what is wrong
 */
export function requireReadable(path: string): void {
  const stats = statsOf(path);
  if (stats === undefined) throw new Error("there is no such file");
  if (stats.isDirectory()) throw new Error("it is a folder: name a file in it, such as im.db");
  if (!stats.isFile()) throw new Error("it is no regular file");
  if (!isAllowed(path, constants.R_OK)) throw new Error("this user may not read it");
}

/**
 * Requires a writable file, in a folder where SQLite can keep its log beside the file.
 *
 * @throws Error that says what is wrong
 */
export function requireWritable(path: string): void {
  requireReadable(path);
  if (!isWritable(path)) throw new Error("it is read-only for this user: allow writing");
  requireWritableFolder(dirname(realpathSync(path)));
}

/**
 * Creates an empty file if none exists. Only its owner may read and write it, since it will hold personal data. SQLite
 * gives the files beside it the same rights. An existing file keeps its own.
 *
 * @throws Error that says what is wrong
 */
export function makeFile(path: string): void {
  if (statsOf(path) !== undefined) return;
  const folder = dirname(path);
  const stats = statsOf(folder);
  if (stats === undefined) throw new Error(`there is no folder ${folder}: make it first`);
  if (!stats.isDirectory()) throw new Error(`${folder} is no folder`);
  try {
    // Never open an existing file here: closing it would end SQLite's locks on it in this process.
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST") {
      requireWritableFolder(folder);
      throw error;
    }
    // Either a symbolic link leads to no file yet, or another process has just created the file.
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
    // SQLite finds out about all other errors, such as that of a runtime that does not let us ask.
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
