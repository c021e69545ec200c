import type { Logger } from "pino";
import { type Following, FollowThread } from "../follow/followThread.js";
import type { ServeFlags } from "./serveFlags.js";

/** Follows OpenIM, if that is wanted. */
export function startFollowing(
  { follow, db, schema, adopt }: ServeFlags,
  logger: Logger,
  tell: (told: { following: Following }) => void,
): FollowThread | undefined {
  if (!follow) return undefined;
  const database = { db, ...(schema !== undefined && { schema }), ...(adopt && { adopt }) };
  const followed = { url: follow, flag: "--follow", database, yes: false };
  return new FollowThread(followed, logger, (following) => tell({ following }));
}
