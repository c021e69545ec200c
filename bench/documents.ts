/** A plain table with the userID and the nickname of each member, for a search that reads everything. */
import BetterSqlite3 from "better-sqlite3";
import { largeGroup } from "./scale.js";

/** Makes the table from the members in another file, in the order in which they are listed. */
export function buildDocuments(path: string, source: string): void {
  const connection = new BetterSqlite3(path);
  connection.pragma("journal_mode = WAL");
  connection.prepare("ATTACH ? AS source").run(source);
  connection.exec("CREATE TABLE documents (user_id TEXT, nickname TEXT, role_level INTEGER)");
  connection
    .prepare(`
      INSERT INTO documents
        SELECT member.user_id, iif(member.nickname = '', coalesce(profile.nickname, ''), member.nickname), role_level
          FROM source.im_admin_group_members member LEFT JOIN source.im_admin_users profile ON profile.user_id = member.user_id
          WHERE member.group_id = ? ORDER BY role_level DESC, join_time, member.user_id`)
    .run(largeGroup);
  connection.close();
}
