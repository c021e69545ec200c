// Reads a database file in a transaction that stays open for some milliseconds.
import BetterSqlite3 from "better-sqlite3";

const [path, milliseconds] = process.argv.slice(2);
const connection = new BetterSqlite3(path, { readonly: true });
connection.exec("BEGIN");
connection.prepare("SELECT count(*) FROM host").get();
process.send("reading");
setTimeout(() => {
  connection.close();
  process.disconnect();
}, Number(milliseconds));
