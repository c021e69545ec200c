import type { ReceivedGroupApplicationList } from "../../src/index.js";
import { listOf } from "./listOf.js";

const lists = listOf<ReceivedGroupApplicationList>("groupRequests");

/** The data of join requests. The OpenIM server answers null for an applicant who is gone. */
export function requestsOf(answered: unknown): ReceivedGroupApplicationList | undefined {
  const data = lists(answered);
  for (const request of data?.groupRequests ?? []) {
    request.userInfo ??= { userID: "", nickname: "", faceURL: "", ex: "" };
  }
  return data;
}
