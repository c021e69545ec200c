// Runs SQL on a database file and is killed before it closes the file.
import BetterSqlite3 from "better-sqlite3";

const [path, sql] = process.argv.slice(2);
new BetterSqlite3(path).exec(sql);
process.kill(process.pid, "SIGKILL");
