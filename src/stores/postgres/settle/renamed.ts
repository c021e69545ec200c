/** The rows of searched lists that a changed nickname concerns, in tables of im-admin's own. */
import { allLists, fieldsOver, type ListSql } from "../map/listSql.js";

const searched = allLists.filter(({ name }) => name !== undefined);

/** A SELECT of the changes of these rows. `renamed` has the users. */
export const renamedRows = searched
  .map((own) => (own.record === "groupMembers" ? ofMembers(own) : ofUsers(own)))
  .join("\nUNION ALL\n");

function ofMembers({ list, owner, key, condition }: ListSql): string {
  const row = "member";
  const least = condition === undefined ? "" : `${condition(row)} AND `;
  return `SELECT '${list}', ${owner(fieldsOver(row))}, ${key(row)}, 0
  FROM renamed CROSS JOIN LATERAL (SELECT * FROM memberships_of(renamed.user_id) OFFSET 0) ${row}
  WHERE NOT is_mapped('${list}')
    AND ${least}(SELECT true FROM lists kept WHERE kept.list = '${list}' AND kept.owner = ${owner(fieldsOver(row))})`;
}

function ofUsers({ list }: ListSql): string {
  return `SELECT '${list}', account.owner, account.key, 0
  FROM renamed CROSS JOIN LATERAL (SELECT * FROM row_at('${list}', '', renamed.user_id) OFFSET 0) account
  WHERE NOT is_mapped('${list}')`;
}
