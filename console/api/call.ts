import type {
  BlackList,
  Envelope,
  GetBlackListInput,
  GetGroupMemberListInput,
  GetJoinedGroupListInput,
  GetReceivedGroupApplicationListInput,
  GroupMemberList,
  JoinedGroupList,
  NotificationAccountList,
  ReceivedGroupApplicationList,
  SearchNotificationAccountInput,
  SetConversationsInput,
} from "../../src/index.js";
import { CallFailure } from "./callFailure.js";
import { signOut, token } from "./session.js";

/** What each operation takes and gives, by its path. */
export interface Operations {
  "/group/get_group_member_list": [GetGroupMemberListInput, GroupMemberList];
  "/friend/get_black_list": [GetBlackListInput, BlackList];
  "/group/get_joined_group_list": [GetJoinedGroupListInput, JoinedGroupList];
  "/group/get_recv_group_applicationList": [GetReceivedGroupApplicationListInput, ReceivedGroupApplicationList];
  "/user/search_notification_account": [SearchNotificationAccountInput, NotificationAccountList];
  "/conversation/set_conversations": [SetConversationsInput, null];
}

export type Path = keyof Operations;
export type Input<Name extends Path> = Operations[Name][0];
export type Data<Name extends Path> = Operations[Name][1];

/** How long an answer may take, in milliseconds. */
const patience = 30_000;

/** Where the operations are. */
export const apiAddress = new URL(
  document.querySelector<HTMLMetaElement>('meta[name="im-admin-api"]')?.content ?? "",
  location.origin,
).href.replace(/\/$/, "");

/**
 * Calls an operation. It rejects with a {@link CallFailure}, or with the reason of `signal`.
 *
 * @param given the token to use instead of the session's
 */
export async function call<Name extends Path>(
  path: Name,
  input: Input<Name>,
  signal?: AbortSignal,
  given?: string,
): Promise<Data<Name>> {
  const operationID = newOperationID();
  const envelope = await send(path, input, operationID, signal, given ?? token.value);
  if (envelope.errCode === 0) return envelope.data as Data<Name>;
  const failure = new CallFailure("refused", { operationID, ...envelope });
  if (failure.isOfToken && given === undefined) signOut(failure);
  throw failure;
}

async function send(
  path: Path,
  input: unknown,
  operationID: string,
  signal: AbortSignal | undefined,
  token: string,
): Promise<Envelope<unknown>> {
  const late = AbortSignal.timeout(patience);
  let status = 0;
  try {
    const response = await fetch(apiAddress + path, {
      method: "POST",
      headers: { "content-type": "application/json", operationID, token },
      body: JSON.stringify(input),
      signal: signal ? AbortSignal.any([signal, late]) : late,
      credentials: "omit",
    });
    status = response.status;
    return envelopeOf(await response.json());
  } catch {
    signal?.throwIfAborted();
    throw new CallFailure(late.aborted ? "late" : status === 0 ? "unreachable" : "garbled", { operationID, status });
  }
}

/** Something between us and the server may answer anything. */
function envelopeOf(answer: Partial<Envelope<unknown>> | null): Envelope<unknown> {
  if (typeof answer?.errCode === "number" && (answer.errCode !== 0 || "data" in answer)) {
    return answer as Envelope<unknown>;
  }
  throw new TypeError("no envelope");
}

/** One that an operator can find in the server's log. */
function newOperationID(): string {
  const random = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  return `console-${Date.now()}-${random.toString(36)}`;
}
