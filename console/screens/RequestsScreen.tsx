import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { CallFailure } from "../api/callFailure.js";
import { messages } from "../language/language.js";
import { FailureNote } from "../parts/FailureNote.js";
import { Icon } from "../parts/Icon.js";
import { findManager } from "../places/find.js";
import type { PlaceOf } from "../places/place.js";
import { GroupHeading } from "./GroupHeading.js";
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
  const tries = useSignal(0);
  const { shell, requests } = messages.value;
  const found = manager.value;
  const heading = <GroupHeading groupID={groupID} screen="groupRequests" />;

  useEffect(() => {
    const asked = new AbortController();
    manager.value = undefined;
    findManager(groupID, asked.signal).then(
      (userID) => {
        manager.value = userID ?? "";
      },
      (error) => {
        if (asked.signal.aborted) return;
        if (!(error instanceof CallFailure)) throw error;
        manager.value = error;
      },
    );
    return () => asked.abort();
  }, [groupID, tries.value]);

  if (typeof found === "string" && found !== "") {
    const asked = { fromUserID: found, groupIDs: [groupID] };
    return <RequestList asked={asked} at={at} heading={heading} none={requests.noneOfGroup} />;
  }
  return (
    <section class="list">
      <div class="list-head">{heading}</div>
      {found instanceof CallFailure && <FailureNote failure={found} onRetry={() => (tries.value += 1)} />}
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
