import type { RecordName } from "../records.js";

/** From 1970 to the last millisecond with 16 digits. */
export const anyTime = ["0", "9999999999999999"] as const;
const anyInteger = ["-2147483648", "2147483647"] as const;

/** The numbers in keys and conditions, with the least and greatest value that a key has room for. */
export const listedNumbers: Readonly<
  Partial<Record<RecordName, Readonly<Record<string, readonly [least: string, most: string]>>>>
> = {
  users: { appMangerLevel: anyInteger },
  groupMembers: { roleLevel: ["0", "999"], joinTime: anyTime },
  blacks: { createTime: anyTime },
  groupRequests: { handleResult: anyInteger, reqTime: anyTime },
};
