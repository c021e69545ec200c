import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { CallFailure, hasFailed } from "../api/callFailure.js";
import { useNewest } from "../api/useNewest.js";
import { messages } from "../language/language.js";
import { useRefresh } from "../list/useRefresh.js";
import { FailureNote } from "../parts/FailureNote.js";
import { Icon } from "../parts/Icon.js";
import { findManager } from "../places/find.js";
import type { PlaceOf } from "../places/place.js";
import { GroupHeading, useGroup } from "./GroupHeading.js";
import { RequestList } from "./RequestList.js";
import { UserHeading } from "./UserHeading.js";

/** The requests to join the groups that a user manages. */
export function RequestsScreen({ at }: { at: PlaceOf<"requests"> }) {
  return (
    <RequestList
      asked={{ fromUserID: at.userID }}
      at={at}
      heading={<UserHeading userID={at.userID} screen="requests" />}
      none={messages.value.requests.none}
    />
  );
}

/** The requests to join a group. The interface only lists them for a user who receives them. */
export function GroupRequestsScreen({ at }: { at: PlaceOf<"groupRequests"> }) {
  const { groupID } = at;
  const manager = useSignal<string | CallFailure | undefined>(undefined);
  const begin = useNewest();
  const { shell, requests } = messages.value;
  const found = manager.value;
  const heading = <GroupHeading groupID={groupID} found={useGroup(groupID)} screen="groupRequests" />;

  async function find(): Promise<void> {
    const signal = begin();
    manager.value = undefined;
    try {
      manager.value = (await findManager(groupID, signal)) ?? "";
    } catch (error) {
      if (hasFailed(error, signal)) manager.value = error;
    }
  }
  useLayoutEffect(() => void find(), [groupID]);
  useRefresh(() => {
    if (found instanceof CallFailure) void find();
  });

  if (typeof found === "string" && found !== "") {
    const asked = { fromUserID: found, groupIDs: [groupID] };
    return <RequestList asked={asked} at={at} heading={heading} none={requests.noneOfGroup} />;
  }
  return (
    <section class="list">
      <div class="list-head">{heading}</div>
      {found instanceof CallFailure && <FailureNote failure={found} onRetry={find} />}
      {found === "" && (
        <div class="nothing">
          <Icon name="empty" />
          <strong>{requests.noneOfGroup}</strong>
          <p class="faint">{shell.noManager}</p>
        </div>
      )}
    </section>
  );
}
