// Takes the lock of a database file, runs the statements that it is sent, and commits them after some milliseconds.
import BetterSqlite3 from "better-sqlite3";

const [path, milliseconds] = process.argv.slice(2);
const connection = new BetterSqlite3(path);
process.once("message", (statements) => {
  connection.exec("BEGIN IMMEDIATE");
  for (const statement of statements) connection.exec(statement);
  process.send("holding");
  setTimeout(() => {
    connection.exec("COMMIT");
    connection.close();
    process.disconnect();
  }, Number(milliseconds));
});
