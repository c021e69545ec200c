import { useSignalEffect } from "@preact/signals";
import { offered, token } from "./api/session.js";
import { environment } from "./api/settings.js";
import { ConversationsScreen } from "./conversations/ConversationsScreen.js";
import { HistoryScreen } from "./history/HistoryScreen.js";
import { messages } from "./language/language.js";
import { EndingNote } from "./parts/EndingNote.js";
import { Failsafe } from "./parts/Failsafe.js";
import { Shell } from "./parts/Shell.js";
import { TokenOffer } from "./parts/TokenOffer.js";
import { place } from "./places/address.js";
import { formatPlace } from "./places/place.js";
import { titleOf } from "./places/titles.js";
import { AccountsScreen } from "./screens/AccountsScreen.js";
import { BlacklistScreen } from "./screens/BlacklistScreen.js";
import { GroupsScreen } from "./screens/GroupsScreen.js";
import { MembersScreen } from "./screens/MembersScreen.js";
import { GroupRequestsScreen, RequestsScreen } from "./screens/RequestsScreen.js";
import { SignInScreen } from "./screens/SignInScreen.js";
import { StartScreen } from "./screens/StartScreen.js";

/** The whole page. */
export function Console() {
  useSignalEffect(() => {
    const parts = [titleOf(place.value, messages.value), environment, "im-admin"];
    document.title = parts.filter((part) => part !== "").join(" · ");
  });
  if (token.value === "") return <SignInScreen />;
  return (
    <>
      <Shell>
        {/* Another administrator must not see what the last one loaded. */}
        <Failsafe key={`${token.value} ${place.value.screen}`}>
          <Screen key={token.value} />
        </Failsafe>
      </Shell>
      <EndingNote />
      {offered.value !== "" && <TokenOffer />}
    </>
  );
}

function Screen() {
  const at = place.value;
  switch (at.screen) {
    case "start":
      return <StartScreen />;
    case "members":
      return <MembersScreen key={at.groupID} at={at} />;
    case "groupRequests":
      return <GroupRequestsScreen key={at.groupID} at={at} />;
    case "groups":
      return <GroupsScreen key={at.userID} at={at} />;
    case "requests":
      return <RequestsScreen key={at.userID} at={at} />;
    case "blacklist":
      return <BlacklistScreen key={at.userID} at={at} />;
    case "accounts":
      return <AccountsScreen at={at} />;
    case "conversations":
      return <ConversationsScreen key={formatPlace(at)} at={at} />;
    case "history":
      return <HistoryScreen at={at} />;
  }
}
