/** Stands for the package "mongodb". Its URLs name the file of a MongoLog, and what fails. */
import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { MongoLog, mongoError } from "../helpers/openim/mongoLog.mjs";

export class MongoClient {
  constructor(url) {
    const { searchParams } = new URL(url);
    const log = searchParams.get("log");
    const code = Number(searchParams.get("code"));
    const failing = (what) => {
      // As with the driver, a stream asks the server only when it is read, and the answer takes a while.
      if (code > 0 && what !== "watch") return delay(100).then(() => Promise.reject(mongoError("refused", code)));
      if (existsSync(`${log}.end`)) process.exit(7);
    };
    Object.assign(this, new MongoLog(log).client({ failing }));
  }
}
