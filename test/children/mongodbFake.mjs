/** Stands for the package "mongodb". Its URLs name the file of a MongoLog, and what fails. */
import { existsSync } from "node:fs";
import { MongoLog, mongoError } from "../helpers/openim/mongoLog.mjs";

export class MongoClient {
  constructor(url) {
    const { searchParams } = new URL(url);
    const log = searchParams.get("log");
    const code = Number(searchParams.get("code"));
    const failing = () => {
      if (code > 0) throw mongoError("refused", code);
      if (existsSync(`${log}.end`)) process.exit(7);
    };
    Object.assign(this, new MongoLog(log).client({ failing }));
  }
}
