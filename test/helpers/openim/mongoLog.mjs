/**
 * Stands for MongoDB and its driver, for several processes. A file has all changes, as MongoDB documents them; the
 * documents follow from it. Places in the changes are numbers of lines.
 */
import { appendFileSync, closeSync, fstatSync, openSync, readSync } from "node:fs";
import { EJSON } from "bson";

export class MongoLog {
  #path;
  #read = 0;
  #rest = "";
  /** All changes. */
  changes = [];
  /** The documents of each collection, by their IDs. */
  collections = new Map();

  constructor(path) {
    this.#path = path;
    appendFileSync(path, "");
  }

  /** Appends changes. Those of one call are of one transaction if it has a number. */
  write(changes, transaction) {
    this.refresh();
    const lines = changes.map((change, index) => {
      const place = this.changes.length + index + 1;
      const clusterTime = { high: Math.floor(Date.now() / 1000) };
      const ofTransaction = transaction === undefined ? {} : { lsid: { id: "s" }, txnNumber: transaction };
      return `${EJSON.stringify({ _id: { _data: String(place) }, clusterTime, ...ofTransaction, ...change })}\n`;
    });
    appendFileSync(this.#path, lines.join(""));
    this.refresh();
  }

  insert(coll, document) {
    this.write([insertion(coll, document)]);
  }

  update(coll, document) {
    this.write([{ ...insertion(coll, document), operationType: "update" }]);
  }

  delete(coll, _id) {
    this.write([{ operationType: "delete", ns: { coll }, documentKey: { _id } }]);
  }

  drop(coll) {
    this.write([{ operationType: "drop", ns: { coll } }]);
  }

  documents(coll) {
    this.refresh();
    return [...(this.collections.get(coll) ?? new Map()).values()];
  }

  /** Reads what others have appended. */
  refresh() {
    const file = openSync(this.#path, "r");
    try {
      const bytes = Buffer.alloc(fstatSync(file).size - this.#read);
      this.#read += readSync(file, bytes, 0, bytes.length, this.#read);
      const lines = (this.#rest + bytes.toString()).split("\n");
      this.#rest = lines.pop();
      for (const line of lines) this.#apply(EJSON.parse(line));
    } finally {
      closeSync(file);
    }
  }

  #apply(change) {
    this.changes.push(change);
    const { operationType, ns, documentKey, fullDocument } = change;
    const documents = this.collections.get(ns?.coll) ?? new Map();
    this.collections.set(ns?.coll, documents);
    if (operationType === "delete") documents.delete(keyOf(documentKey._id));
    else if (operationType === "drop") documents.clear();
    else if (fullDocument) documents.set(keyOf(documentKey._id), fullDocument);
  }

  /**
   * A client. `before` runs before each answer, and may throw what MongoDB would.
   *
   * @param faults `failing(what)` may throw; `oldest` is the first place from which changes are still known
   */
  client(faults = {}) {
    const { failing = () => {} } = faults;
    const log = this;
    return {
      startSession: () => ({ endSession: async () => {} }),
      async close() {},
      db: () => ({
        watch([{ $match }], options) {
          failing("watch", options);
          const { resumeAfter } = options;
          log.refresh();
          let place = resumeAfter === undefined ? log.changes.length : Number(resumeAfter._data);
          let isClosed = false;
          return {
            resumeToken: undefined,
            async tryNext() {
              await failing("tryNext");
              if (isClosed) throw mongoError("ChangeStream is closed");
              if (place < (faults.oldest ?? 0)) throw mongoError("the oplog is shorter", 286);
              log.refresh();
              while (place < log.changes.length) {
                const change = log.changes[place];
                place += 1;
                this.resumeToken = change._id;
                if (isWanted(change, $match)) return lookedUp(log, change);
              }
              await new Promise((resolve) => setTimeout(resolve, 5));
              if (isClosed) throw mongoError("ChangeStream is closed");
              this.resumeToken = { _data: String(place) };
              return null;
            },
            async close() {
              isClosed = true;
            },
          };
        },
        collection: (coll) => ({
          estimatedDocumentCount: async () => log.documents(coll).length,
          async *find(_filter, options) {
            for (const document of log.documents(coll)) {
              await failing("find", options);
              yield document;
            }
          },
        }),
      }),
    };
  }
}

function keyOf(id) {
  return EJSON.stringify(id);
}

function insertion(coll, document) {
  return { operationType: "insert", ns: { coll }, documentKey: { _id: document._id }, fullDocument: document };
}

function isWanted({ operationType, ns }, { $or: [ofCollections, , others] }) {
  return ofCollections["ns.coll"].$in.includes(ns?.coll) || others.operationType.$in.includes(operationType);
}

/** An update has the document as it is when the change is read. */
function lookedUp(log, change) {
  if (change.operationType !== "update") return change;
  return { ...change, fullDocument: log.collections.get(change.ns.coll)?.get(keyOf(change.documentKey._id)) ?? null };
}

/** An error as MongoDB's driver throws it, with a host and a password in its message. */
export function mongoError(message, code) {
  return Object.assign(new Error(`${message}: mongodb://im:secret@db.example.org`), { name: "MongoServerError", code });
}
