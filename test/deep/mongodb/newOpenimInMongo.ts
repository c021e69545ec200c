import { onTestFinished } from "vitest";
import { randomOf, seed } from "../../helpers/chance.js";
import { MongoLog } from "../../helpers/openim/mongoLog.mjs";
import { MongoServer } from "../../helpers/openim/mongoServer.js";
import { importedRecords, RandomOpenim } from "../../helpers/openim/randomOpenim.js";
import { temporaryFolder } from "../../helpers/stores.js";

/** A MongoDB with an OpenIM's database, to which the result writes. */
export async function newOpenimInMongo() {
  const log = new MongoLog(`${temporaryFolder()}/log`);
  const server = await MongoServer.start(() => log);
  onTestFinished(() => server.stop());
  return {
    log,
    server,
    url: `mongodb://${server.host}/openim_v3`,
    openim: new RandomOpenim(log, randomOf(seed)),
    expected: () => importedRecords((coll) => log.documents(coll)),
  };
}
