/** What a search costs that looks at everything: a plain table with the userID and the nickname of each member. */
import BetterSqlite3 from "better-sqlite3";
import { largeGroup } from "./scale.js";

/** Makes the table from the members in another file, in the order in which they are listed. */
export function buildDocuments(path: string, source: string): void {
  const connection = new BetterSqlite3(path);
  connection.pragma("journal_mode = WAL");
  connection.prepare("ATTACH ? AS source").run(source);
  connection.exec("CREATE TABLE documents (userID TEXT, nickname TEXT, roleLevel INTEGER)");
  connection
    .prepare(`
      INSERT INTO documents
        SELECT member.userID, iif(member.nickname = '', coalesce(profile.nickname, ''), member.nickname), roleLevel
          FROM source.groupMembers member LEFT JOIN source.users profile ON profile.userID = member.userID
          WHERE member.groupID = ? ORDER BY roleLevel DESC, joinTime, member.userID`)
    .run(largeGroup);
  connection.close();
}
