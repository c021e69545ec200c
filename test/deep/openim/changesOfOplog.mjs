/**
 * Lets a client of mongo-java-server follow. Its own change streams name no collections and no deleted documents, and it
 * has no sessions. Its oplog is right, so this makes MongoDB's events from it.
 */
import { Timestamp } from "mongodb-6";

export function withChanges(client, name) {
  return {
    startSession: () => ({ endSession: async () => {} }),
    db(_name, options) {
      const database = client.db(name, options);
      return {
        watch: ([{ $match }], { resumeAfter }) => changesOf(database, $match.$or[0]["ns.coll"].$in, resumeAfter),
        collection: (coll) => ({
          estimatedDocumentCount: () => database.collection(coll).estimatedDocumentCount(),
          find: (filter) => database.collection(coll).find(filter),
        }),
      };
    },
  };
}

/** How long the stream waits before it answers that nothing has changed, in milliseconds. */
const answerTime = 20;

/** The most entries that are read at once. */
const mostEntries = 500;

function changesOf(database, collections, resumeAfter) {
  const oplog = database.client.db("local").collection("oplog.rs");
  let place = resumeAfter && Timestamp.fromString(resumeAfter._data, 10);
  let mustLookBack = place !== undefined;
  let waiting = [];
  return {
    resumeToken: resumeAfter,
    async tryNext() {
      if (waiting.length === 0) waiting = await this.more();
      const [next] = waiting.splice(0, 1);
      this.resumeToken = next?._id ?? tokenOf(place);
      if (next === undefined) await new Promise((resolve) => setTimeout(resolve, answerTime));
      return next ?? null;
    },
    async more() {
      if (place === undefined) {
        const [last] = await oplog.find().sort({ ts: -1 }).limit(1).toArray();
        place = last?.ts ?? new Timestamp({ t: 1, i: 1 });
        return [];
      }
      if (mustLookBack && (await oplog.findOne({ ts: { $lte: place } })) === null) throw historyLost();
      mustLookBack = false;
      const entries = await oplog
        .find({ ts: { $gt: place } })
        .sort({ ts: 1 })
        .limit(mostEntries)
        .toArray();
      place = entries.at(-1)?.ts ?? place;
      const inDatabase = entries.filter(({ ns }) => ns.startsWith(`${database.databaseName}.`));
      const changes = inDatabase.map((entry) => changeOf(entry, database.databaseName));
      const ours = changes.filter(({ ns }) => collections.includes(ns.coll));
      for (const change of ours.filter(({ operationType }) => operationType === "update")) {
        const { ns, documentKey } = change;
        change.fullDocument = await database.collection(ns.coll).findOne({ _id: documentKey._id });
      }
      return ours;
    },
    async close() {},
  };
}

function tokenOf(place) {
  return { _data: place.toString() };
}

function changeOf({ op, ns, ts, o, o2 }, name) {
  const change = { _id: tokenOf(ts), clusterTime: ts, ns: { coll: ns.slice(name.length + 1) } };
  if (op === "i") return { ...change, operationType: "insert", documentKey: { _id: o._id }, fullDocument: o };
  if (op === "u") return { ...change, operationType: "update", documentKey: { _id: o2._id } };
  if (op === "d") return { ...change, operationType: "delete", documentKey: { _id: o._id } };
  return { ...change, operationType: "drop", ns: { coll: o.drop ?? o.renameCollection } };
}

function historyLost() {
  return Object.assign(new Error("the oplog does not reach back so far"), { name: "MongoServerError", code: 286 });
}
