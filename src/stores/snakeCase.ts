/** The names of tables and columns in SQL, the same in every engine. */

/** The name in SQL of a name in JavaScript: `group_members` for `groupMembers`, `face_url` for `faceURL`. */
export function snakeCase(camelCase: string): string {
  return camelCase.replace(/(?<=[a-z])[A-Z]+/g, (capitals) => `_${capitals}`).toLowerCase();
}
