/** @throws TypeError for what is no list of user IDs: a number, for one, never equals the ID in a token */
export function requireUserIDs(option: string, userIDs: unknown): void {
  const isID = (userID: unknown) => typeof userID === "string" && userID !== "";
  if (Array.isArray(userIDs) && userIDs.every(isID)) return;
  throw new TypeError(`${option} must be a list of user IDs, which are non-empty strings`);
}
