/** Loads MongoDB's driver, and makes clients of it. */
import type { OpenimClient } from "../../../src/openim/index.js";
import { commandToAdd } from "../../../src/stores/drivers/packageManager.js";

/** What im-admin takes of the driver. Its types are not there where nobody has installed it. */
interface Driver<Client> {
  MongoClient: new (url: string, options: object) => Client;
}

/** How long a failure to reach MongoDB takes, in milliseconds. */
const failureTime = 10_000;

/**
 * A URL with a database, and with one @ at most. Version 6 of the driver would take what follows the first of two for a
 * host, and without a database it would take one named "test".
 */
const readable = /^mongodb(\+srv)?:\/\/([^@/]*@)?[^@/?]+\/[^@/?]+(\?.*)?$/i;

/**
 * Returns a function that makes clients of a URL. They connect when they are used. Messages never quote the URL, which has
 * hosts and may have a password.
 *
 * @param flag names the URL in messages
 */
export async function mongoClients<Client = OpenimClient>(url: string, flag: string): Promise<() => Client> {
  const unreadable = new Error(
    `the URL in ${flag} cannot be read: it must be such as mongodb://user@host:27017/openim_v3, with OpenIM's database, ` +
      "with %40, %2F and %23 for @, / and # in a password, and with options that the package mongodb knows",
  );
  if (!readable.test(url)) throw unreadable;
  const { MongoClient } = await loadDriver<Client>();
  const options = { appName: "im-admin", serverSelectionTimeoutMS: failureTime, connectTimeoutMS: failureTime };
  const make = () => new MongoClient(url, options);
  try {
    make();
  } catch {
    // The driver's reason may quote a part of the password.
    throw unreadable;
  }
  return make;
}

async function loadDriver<Client>(): Promise<Driver<Client>> {
  // As a variable, so that it need not be installed where this is compiled.
  const name = "mongodb";
  try {
    return await import(name as string);
  } catch {
    throw new Error(
      `the package mongodb, which speaks to MongoDB, cannot be loaded: ${commandToAdd("mongodb")} (version 6.22, or 7 from Node 20.19 on)`,
    );
  }
}
