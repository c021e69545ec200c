import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../stores.js";
import { type Document, MongoLog } from "./mongoLog.mjs";

const childModule = (name: string) => new URL(`../../children/${name}.mjs`, import.meta.url).href;

/** An environment in which a module stands for the package "mongodb". */
export function withMongodb(module = childModule("mongodbFake")) {
  return { NODE_OPTIONS: `--import ${childModule("mongodbInstall")}`, MONGODB_MODULE: module };
}

/** An OpenIM whose database changes. The URL has a host and a password, which nothing may print. */
export function newOpenim() {
  const folder = temporaryFolder();
  const path = join(folder, "log");
  const log = new MongoLog(path);
  const url = `mongodb://im:half%40secret@db.example.org/openim_v3?log=${path}`;
  return {
    log,
    url,
    db: join(folder, "im.db"),
    /** Lets each thread end that follows, until the result is called. */
    endThreads() {
      writeFileSync(`${path}.end`, "");
      return () => rmSync(`${path}.end`);
    },
  };
}

/** The module of a real driver: `mongodb` is version 7, and `mongodb-6` is 6.22. */
export function driverModule(name: string): string {
  return new URL(`../../deep/node_modules/${name}/lib/index.js`, import.meta.url).href;
}

/** Both drivers, with a MongoDB that tells them at once of its changes, and with one that they have to ask. */
export const driversAndHeartbeats = ["mongodb", "mongodb-6"].flatMap((driver) =>
  [true, false].map((streams) => ({ driver, streams })),
);

export function account(id: number): Document {
  return { _id: id, user_id: `n${id}`, nickname: `News ${id}`, app_manger_level: 3 };
}
