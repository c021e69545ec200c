/** Whether rows have a keyword, which is in small letters, as it is found where documents do not tell. */
import { raw, type Sql, sql } from "../sql.js";

/** A declaration that {@link contains} needs. */
export const hasLetters = raw(`has_letters boolean := keyword COLLATE "C" ~ '[a-z]';`);

/**
 * Whether a text contains the keyword. Bytewise, lower() folds letters of ASCII alone. It takes longer than to look for
 * the keyword: where that has no letters, the text need not be folded.
 */
export const contains = (text: Sql) =>
  sql`strpos(CASE WHEN has_letters THEN lower(${text} COLLATE "C") ELSE ${text} END, keyword) > 0`;

/** Whether an entry has it itself: of a member without a nickname, the profile may have it. */
export const hasWord = sql`(${contains(raw("entry.user_id"))} OR ${contains(raw("entry.nickname"))})`;

/** Whether a member has it, with the `profile` joined. */
export const memberHasWord = sql`(${hasWord} OR entry.nickname = '' AND ${contains(raw("profile.nickname"))})`;
